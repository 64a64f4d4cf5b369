#!/usr/bin/env python3
"""Checks an import against a second one, written from docs/guide/openstreetmap.md alone.

    check_import.py LODESTAR EXTRACT PROFILE.json [QUERIES]

osmium-tool turns the extract into text; this script applies the profile, cuts ways into arcs,
finds the largest strong component and compares nodes, arcs and the sum of all weights with what
`lodestar info` and `convert` say. Then it runs Dijkstra on the arcs that `convert` exported and
compares costs with those of `lodestar solve`. Exit code 0: all agree.
"""
import heapq
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile


def read_extract(path):
    text = subprocess.run(["osmium", "cat", path, "-f", "opl", "-o", "-"], check=True,
                          capture_output=True).stdout.decode("utf-8", "replace")
    nodes, ways = {}, []

    def unescape(word):
        if "%" not in word:
            return word
        parts = word.split("%")
        out = parts[0]
        for i in range(1, len(parts), 2):
            out += chr(int(parts[i], 16)) + (parts[i + 1] if i + 1 < len(parts) else "")
        return out

    for line in text.split("\n"):
        if not line or line[0] not in "nw":
            continue
        fields = {f[0]: f[1:] for f in line.split(" ")[1:] if f}
        tags = dict(tuple(unescape(x) for x in t.split("=", 1)) for t in fields.get("T", "").split(",") if t)
        number = int(line.split(" ", 1)[0][1:])
        if line[0] == "n":
            if fields.get("x") and fields.get("y"):
                nodes[number] = (float(fields["x"]), float(fields["y"]), tags)
        else:
            refs = [int(r.split("x")[0][1:]) for r in fields.get("N", "").split(",") if r]
            ways.append((number, refs, tags))
    return nodes, ways


def number_of(text, named):
    text = text.split(";")[0].strip(" \t")
    digits = ""
    for c in text:
        if c in "0123456789.":
            digits += c
        else:
            break
    if digits and digits != ".":
        value, unit = float(digits), text[len(digits):].strip(" \t")
        factor = {"": 1, "km/h": 1, "kmh": 1, "kph": 1, "mph": 1.609344, "knots": 1.852}.get(unit)
        return value * factor if factor and value > 0 else None
    if text in named:
        return named[text]
    return named.get(text.split(":", 1)[1]) if ":" in text else None


def access_of(access, value):
    """"yes", "restricted" or "no" as the items of the list say, None when they say nothing."""
    items = {item.strip(" \t") for item in value.split(";")}
    return next((word for word in ("yes", "restricted", "no") if items & set(access.get(word, []))), None)


def said_of(profile, tags, suffix=""):
    access, said = profile.get("access", {}), None
    for key in access.get("keys", []):
        for name in (key, key + suffix):
            word = access_of(access, tags.get(name, ""))
            said = said if word is None else word
    return said


def matches(tags, key, values):
    """Whether a rule applies; its key may have conditions: "highway=service&access"."""
    *where, key = key.split("&")
    if any(tags.get(w.split("=")[0], "") != w.split("=")[1] for w in where) or key not in tags:
        return False
    return tags[key] in values or ("*" in values and tags[key] != "no")


def any_of(tags, rules):
    return any(matches(tags, key, values) for key, values in rules.items())


def limit_of(text, tonnes):
    """Metres or tonnes; None when there is no limit, or none that is understood."""
    units = ({"": 1, "t": 1, "kg": .001, "lbs": .00045359237} if tonnes else {"": 1, "m": 1, "cm": .01, "ft": .3048, "'": .3048})
    m = re.fullmatch(r"([\d.]+) *(.*)", text.strip(" \t").replace(",", "."))
    if m and m[2].lower() in units:
        return float(m[1]) * units[m[2].lower()] or None
    m = re.fullmatch(r"(\d+)' *(\d+)\"?", text.strip(" \t"))
    return int(m[1]) * .3048 + int(m[2]) * .0254 if m and not tonnes else None


def fits(profile, tags):
    for what, size in profile.get("vehicle", {}).items():
        for key in profile.get("limits", {}).get(what, []):
            for item in tags.get(key, "").split(";"):
                limit = limit_of(item, what == "weight")
                if limit is not None and (limit <= size + 1e-6 if what == "width" else limit < size - 1e-6):
                    return False
    return True


def restricted(profile, tags):
    """Whether the way has one of the classes that are not for through traffic."""
    entry = profile.get("entry", {})
    said = next((tags[k] for k in reversed(profile.get("access", {}).get("keys", []))
                 if access_of(profile["access"], tags.get(k, ""))), None)
    for name in entry.get("classes", []):
        for key, values in profile["classes"][name].items():
            value = said if key == "access" else tags.get(key)
            if value is not None and any(i.strip(" \t") in values for i in value.split(";")):
                return True
    return False


def passage(profile, tags):
    """km/h forward and backward (0: closed) and the duration in seconds; None when no road."""
    road = next(((k, table[tags[k]]) for k, table in profile["roads"].items() if tags.get(k) in table), None)
    opened = None
    if road is None:
        opened = next(((k, v) for k, v in profile.get("access", {}).get("opens", {}).items() if tags.get(k)), None)
        road = opened
    if road is None or any_of(tags, profile.get("closed", {})) or not fits(profile, tags):
        return None
    oneway = profile.get("oneway", {})
    open_ = [not any_of(tags, oneway.get("implied_backward", {})), not any_of(tags, oneway.get("implied", {}))]
    for key in oneway.get("keys", []):
        value = tags.get(key)
        for word, state in (("both", [True, True]), ("forward", [True, False]), ("backward", [False, True]),
                            ("neither", [False, False])):
            if value in oneway.get(word, []):
                open_ = state
    if any_of(tags, oneway.get("contraflow", {})):
        open_ = [True, True]
    speed = profile.get("speed", {})
    named = speed.get("named", {})
    cap = min([speed.get("most", 1000)] + [t[tags[k]] for k, t in profile.get("caps", {}).items() if tags.get(k) in t])
    out = []
    for side, suffix in enumerate((":forward", ":backward")):
        said = said_of(profile, tags, suffix)
        if said is None and any_of(tags, profile["access"].get("implied", {})):
            said = "yes"
        if said is None and any_of(tags, profile["access"].get("separate", {})):
            said = "no"
        ours = said == "yes" or not opened and said != "no"
        push = profile.get("push", {})
        walked = said != "no" and (ours or any_of(tags, push.get("opens", {})))
        walked = walked and (open_[side] or not any_of(tags, push.get("not_against", {})))
        limit = None
        for key in speed.get("keys", []):
            for name in (key, key + suffix):
                if name in tags and tags[name] not in ("signals", "variable"):
                    value = number_of(tags[name], named)
                    limit = value if value is not None else limit
        for key in speed.get("zone_keys", []):
            if limit is None and key in tags:
                limit = number_of(tags[key], named)
        least = speed.get("least", 1)
        pace = limit * speed.get("share", 1) if limit is not None else road[1]
        pace = min(max(pace, least), max(least, cap))
        out.append(pace if open_[side] and ours else min(pace, push.get("speed", 0)) if walked else 0)
    duration = 0
    if not opened and road[0] in profile.get("timed", []) and "duration" in tags:
        iso = re.fullmatch(r"P(?:([\d.]+)W)?(?:([\d.]+)D)?(?:T(?:([\d.]+)H)?(?:([\d.]+)M)?(?:([\d.]+)S)?)?",
                           tags["duration"].strip(" \t"))
        parts = tags["duration"].strip(" \t").split(":")
        if iso:
            duration = sum(float(n or 0) * s for n, s in zip(iso.groups(), (604800, 86400, 3600, 60, 1)))
        elif len(parts) <= 3 and all(p.isdigit() for p in parts):
            values = [int(p) for p in parts]
            duration = values[0] * 60 if len(values) == 1 else values[0] * 3600 + values[1] * 60 + (values + [0])[2]
    return (out[0], out[1], duration) if out[0] or out[1] else None


def blocked(profile, tags):
    said = said_of(profile, tags)
    barrier = any_of(tags, profile.get("barriers", {}))
    if said is None:
        return barrier and (not any_of(tags, profile.get("passable", {})) or not fits(profile, tags))
    return said == "no" and not any_of(tags, profile["access"].get("not_on", {}))


def passing(profile, tags):
    """Tenths of a second to pass a node."""
    if any_of(tags, profile.get("barriers", {})) and said_of(profile, tags):
        return 0
    return whole(10 * sum(t[tags[k]] for k, t in profile.get("node_costs", {}).items() if tags.get(k) in t), 0)


def metres(a, b):
    la, lb = math.radians(a[1]), math.radians(b[1])
    up, across = math.sin((lb - la) / 2), math.sin(math.radians(b[0] - a[0]) / 2)
    return 2 * 6371008.8 * math.asin(min(1, math.sqrt(up * up + math.cos(la) * math.cos(lb) * across * across)))


def whole(value, least=1):
    return max(least, math.floor(value + 0.5))


def cut(profile, nodes, ways):
    roads = [(restricted(profile, tags), refs, p) for _, refs, tags in ways
             if len(refs) >= 2 and (p := passage(profile, tags))]
    uses = {}
    for _, refs, _ in roads:
        for i, ref in enumerate(refs):
            uses[ref] = uses.get(ref, 0) + (2 if i in (0, len(refs) - 1) else 1)
    stops = {ref for ref in uses if ref in nodes and blocked(profile, nodes[ref][2])}
    costs = {ref: passing(profile, nodes[ref][2]) for ref in uses if ref in nodes and ref not in stops}
    roads_of, arcs, copies = [], [], 0

    def name(ref):
        nonlocal copies
        if ref in stops:
            copies += 1
            return (ref, copies)
        return (ref, 0)

    for private, refs, (forward, backward, duration) in roads:
        pieces, run = [], []
        for ref in refs + [None]:
            if ref is not None and run and ref == run[-1]:
                continue
            if ref is None or ref not in nodes:
                if len(run) > 1:
                    pieces.append(run)
                run = []
                continue
            run.append(ref)
            if len(run) > 1 and (uses[ref] >= 2 or ref in stops or costs[ref]):
                pieces.append(run)
                run = [ref]
        lengths = [sum(metres(nodes[a], nodes[b]) for a, b in zip(p, p[1:])) for p in pieces]
        total = sum(lengths)
        for piece, length in zip(pieces, lengths):
            u, v = name(piece[0]), name(piece[-1])
            for speed, tail, head in ((forward, u, v), (backward, v, u)):
                if speed:
                    time = 10 * duration * length / total if duration and total else 36 * length / speed
                    roads_of.append((tail, head, whole(time) + costs.get(tail[0], 0), private))
    # A junction is two nodes where roads for some only leave others: (…, True) was reached on such a road.
    left = {tail for tail, _, _, private in roads_of if private}
    free = {end for tail, head, _, private in roads_of if not private for end in (tail, head)}
    twice = left & free
    penalty = whole(10 * profile.get("entry", {}).get("seconds", 0), 0)
    for tail, head, weight, private in roads_of:
        end = (head, private and head in twice)
        arcs.append(((tail, False), end, weight + (penalty if private and tail in twice else 0)))
        if tail in twice:
            arcs.append(((tail, True), end, weight))
    return arcs


def strong(arcs):
    """The largest strong component, by Kosaraju's two sweeps."""
    out, back = {}, {}
    for u, v, _ in arcs:
        out.setdefault(u, []).append(v)
        back.setdefault(v, []).append(u)
        out.setdefault(v, [])
        back.setdefault(u, [])
    seen, order = set(), []
    for root in out:
        if root in seen:
            continue
        seen.add(root)
        stack = [(root, iter(out[root]))]
        while stack:
            u, heads = stack[-1]
            v = next((x for x in heads if x not in seen), None)
            if v is None:
                order.append(u)
                stack.pop()
            else:
                seen.add(v)
                stack.append((v, iter(out[v])))
    seen, best, count = set(), set(), 0
    for root in reversed(order):
        if root in seen:
            continue
        count += 1
        part, stack = {root}, [root]
        while stack:
            for v in back[stack.pop()]:
                if v not in seen and v not in part:
                    part.add(v)
                    stack.append(v)
        seen |= part
        if len(part) > len(best):
            best = part
    return best, count, len(out)


def dijkstra(rows, source, target):
    done, heap = set(), [(0, source)]
    while heap:
        cost, u = heapq.heappop(heap)
        if u == target:
            return cost
        if u in done:
            continue
        done.add(u)
        for v, w in rows.get(u, []):
            if v not in done:
                heapq.heappush(heap, (cost + w, v))
    return None


def main():
    lodestar, extract, rules = sys.argv[1:4]
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 20
    with open(rules, encoding="utf-8") as file:
        profile = json.load(file)
    failures = 0

    def compare(what, ours, theirs, tolerance=0):
        nonlocal failures
        good = abs(ours - theirs) <= tolerance
        failures += not good
        print(f"  {what}: {theirs} by lodestar, {ours} here{'' if good else '   <-- DIFFERENT'}")

    nodes, ways = read_extract(extract)
    arcs = cut(profile, nodes, ways)
    kept, components, all_nodes = strong(arcs)
    inside = [a for a in arcs if a[0] in kept and a[1] in kept]
    print(f"{os.path.basename(extract)}: {len(nodes)} nodes, {len(ways)} ways; {components} strong components")
    with tempfile.TemporaryDirectory() as folder:
        for options, expected, expected_nodes in (([], inside, len(kept)), (["--all"], arcs, all_nodes)):
            csv = os.path.join(folder, "arcs.csv")
            subprocess.run([lodestar, "convert", extract, csv, "--profile", rules] + options, check=True,
                           capture_output=True)
            with open(csv, encoding="utf-8") as file:
                exported = [line.strip().split(",") for line in file][1:]
            info = json.loads(subprocess.run([lodestar, "info", extract, "--json", "--profile", rules] + options,
                                             check=True, capture_output=True).stdout)
            compare("nodes" + (" with --all" if options else ""), expected_nodes, info["nodes"])
            compare("arcs" + (" with --all" if options else ""), len(expected), len(exported))
            # A time within a rounding error of one half may be rounded either way.
            compare("sum of weights" + (" with --all" if options else ""), sum(a[2] for a in expected),
                    sum(int(float(e[2])) for e in exported), 2)
            if options:
                continue
            rows = {}
            for u, v, w, *_ in exported:  # further metrics and classes follow
                rows.setdefault(u, []).append((v, float(w)))
            dice = random.Random(1)
            names = sorted(rows)
            pairs = [(dice.choice(names), dice.choice(names)) for _ in range(count)]
            queries = os.path.join(folder, "queries.tsv")
            with open(queries, "w", encoding="utf-8") as file:
                for s, t in pairs:
                    cost = dijkstra(rows, s, t)
                    file.write(f"{s}\t{t}\t{int(cost) / 10}\n")  # seconds
            lsg = os.path.join(folder, "town.lsg")
            subprocess.run([lodestar, "convert", extract, lsg, "--profile", rules], check=True, capture_output=True)
            for how in ([], ["--heuristic", "geometric"]):
                done = subprocess.run([lodestar, "solve", lsg, "--queries", queries, "--check"] + how,
                                      capture_output=True)
                print(f"  {count} costs, {' '.join(how) or 'unchanged'}: {done.stderr.decode().strip().splitlines()[-1]}")
                failures += done.returncode != 0
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
