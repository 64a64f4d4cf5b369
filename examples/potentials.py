#!/usr/bin/env python3
"""A model's potentials in plain numpy: the equations of docs/design/TRAINING.md, nothing else.

    lodestar convert graph.lsg graph.gr                     # DIMACS, nodes 1 … n
    lodestar predict graph.gr --model deep --from 1 --to 9 -o y.npy
    python3 examples/potentials.py learn/models/deep-....safetensors graph.gr 1 9 y.npy

Prints the largest difference to the potentials in y.npy, relative to the largest of them; without
y.npy, the potentials themselves.
"""
import heapq
import json
import struct
import sys
from collections import Counter

import numpy as np


def read_model(path):
    """safetensors: 8 bytes length, JSON header, float32 numbers."""
    data = open(path, "rb").read()
    length = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8 : 8 + length])
    config = json.loads(header.pop("__metadata__")["config"])
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        numbers = np.frombuffer(data[8 + length + begin : 8 + length + end], "<f4")
        tensors[name] = numbers.reshape(entry["shape"]).astype(float)
    return config, tensors


def read_dimacs(path):
    """Lines 'p sp n m' and 'a tail head weight', nodes from 1."""
    arcs, nodes = [], 0
    for line in open(path):
        word = line.split()
        if word and word[0] == "p":
            nodes = int(word[2])
        elif word and word[0] == "a":
            arcs.append((int(word[1]) - 1, int(word[2]) - 1, float(word[3])))
    return nodes, arcs


def kept_arcs(arcs, config):
    """Without the heavy ones, except the six lightest that leave or enter a node."""
    if not config["degree_normalisation"]:
        return arcs
    receiver = 0 if config["direction"] == "against" else 1
    light = Counter(arc[receiver] for arc in arcs if arc[2] <= 2)
    reach = config.get("reach", 0) > 0
    arcs = [arc for arc in arcs if arc[2] <= 2 or (reach and light[arc[receiver]] < 6)]
    ends = {}  # weights of the arcs that leave and enter each node
    for tail, head, w in arcs:
        ends.setdefault((tail, "leave"), []).append(w)
        ends.setdefault((head, "enter"), []).append(w)
    sixth = {end: sorted(w)[:6][-1] for end, w in ends.items()}
    return [(tail, head, w) for tail, head, w in arcs
            if w <= max(1, sixth[tail, "leave"], sixth[head, "enter"])]


def farthest(rows, start):
    """The farthest node from start and its distance."""
    distance, queue, last = {start: 0.0}, [(0.0, start)], (start, 0.0)
    while queue:
        g, v = heapq.heappop(queue)
        if g > distance[v]:
            continue
        last = (v, g)
        for u, w in rows[v]:
            if g + float(w) < distance.get(u, np.inf):
                distance[u] = g + float(w)
                heapq.heappush(queue, (distance[u], u))
    return last


def hubs(rows):
    """The node with the most arcs, of the graph and of each part with a quarter of the nodes."""
    part = list(range(len(rows)))

    def part_of(v):
        while part[v] != v:
            part[v] = v = part[part[v]]
        return v

    for v, row in enumerate(rows):
        for u, _ in row:
            part[part_of(v)] = part_of(u)
    members = {}
    for v in range(len(rows)):
        members.setdefault(part_of(v), []).append(v)
    large = [nodes for nodes in members.values() if 4 * len(nodes) >= len(rows)]
    return {max(nodes, key=lambda v: len(rows[v])) for nodes in [range(len(rows)), *large]}


def graph_input(nodes, arcs, config):
    """(sender, receiver, weight, is_loop) of every arc of the network, and the unit of y."""
    weights = np.array([w for _, _, w in arcs])
    largest = weights.max() if len(arcs) else 0
    unit = 1 if largest == 0 or 0.5 < largest <= 1 else 2 * weights.mean()
    c = 1
    if config["degree_normalisation"] and arcs:
        c = len(arcs) / nodes / config["reference_degree"]
    against = config["direction"] == "against"

    def scaled(factor):
        network = [(tail, head, np.float32(w * c / unit * factor)) for tail, head, w in arcs
                   if tail != head]
        return kept_arcs(network, config)

    kept, factor = scaled(1), 1
    if config.get("reach", 0) > 0:
        rows = [[] for _ in range(nodes)]
        for tail, head, w in kept:
            rows[tail if against else head].append((head if against else tail, w))
        diameter = 0
        for hub in hubs(rows):
            node, first = farthest(rows, hub)
            diameter = max(diameter, first, farthest(rows, node)[1])
        if diameter > config["reach"]:
            factor = config["reach"] / diameter
            kept = scaled(factor)
    rows = [(v, v, 0.0, 1) for v in range(nodes)]
    for tail, head, w in kept:
        rows.append((head, tail, w, 0) if against else (tail, head, w, 0))
    return np.array(rows), unit / c / factor


def heard(sender, receiver, nodes, target):
    """Which nodes messages from the target reach, and in how many steps all of them."""
    known, hops = np.arange(nodes) == target, 0
    while True:
        more = known.copy()
        more[receiver[known[sender]]] = True
        if (more == known).all():
            return known, hops
        known, hops = more, hops + 1


def potentials(config, w, nodes, arcs, source, target):
    rows, unit = graph_input(nodes, arcs, config)
    sender, receiver = rows[:, 0].astype(int), rows[:, 1].astype(int)
    ids = np.arange(nodes)
    s, t = (ids == source).astype(float), (ids == target).astype(float)
    columns = ([ids / nodes] if config["pos"] else []) + [s, t]
    edges = [rows[:, 2]]
    if config["hints"]:  # Dijkstra before its first step: only the source is queued, pi(v) = v
        columns += [np.zeros(nodes), np.zeros(nodes), s, s]
        edges += [(sender == receiver).astype(float) * rows[:, 3]]
    z = np.stack(columns, 1) @ w["node_encoder"]
    z_edge = np.stack(edges, 1) @ w["edge_encoder"]
    h = np.zeros_like(z)
    settle, steps = config.get("settle", 0), config["steps"]
    if settle > 0:
        counted, hops = heard(sender, receiver, nodes, target)
        steps = min(steps, 2 * hops + 24)
    settled = None
    for step in range(1, steps + 1):
        zh = np.concatenate([z, h], 1)
        message = (zh @ w["message.receiver"])[receiver] + (zh @ w["message.sender"])[sender]
        message = np.maximum(message + z_edge @ w["message.edge"] + w["message.bias"], 0)
        for k in range(2, config["message_layers"] + 1):
            message = message @ w[f"message.{k}.weight"] + w[f"message.{k}.bias"]
            message = np.maximum(message, 0)
        m = np.zeros((nodes, message.shape[1]))  # a message is never below 0
        np.maximum.at(m, receiver, message)
        before = h
        h = np.maximum(zh @ w["update.self"] + m @ w["update.message"] + w["update.bias"], 0)
        for k in range(2, config.get("update_layers", 1) + 1):
            h = np.maximum(h @ w[f"update.{k}.weight"] + w[f"update.{k}.bias"], 0)
        y = np.concatenate([z, h, before], 1) @ w["y_decoder"]  # [nodes × heads]
        if settle > 0 and step % 4 == 0:
            now = (y - y[target])[counted]
            if settled is not None and np.abs(now - settled).max() <= settle:
                break
            settled = now
    y = y[:, 0] if y.shape[1] == 1 else (y - y[target]).min(1)
    scale = config["y_scale"]
    if config.get("y_scale_most", 0) > 0:  # the largest that violates no arc
        arc = rows[:, 2] > 0
        sign = 1 if config["direction"] == "against" else -1
        steepest = (sign * (y[sender] - y[receiver])[arc] / rows[arc, 2]).max(initial=0)
        most = config["y_scale_most"]
        scale = most if steepest <= 0 else min(max((1 - 1e-6) / steepest, scale), most)
    return y * scale * unit


if __name__ == "__main__":
    config, tensors = read_model(sys.argv[1])
    nodes, arcs = read_dimacs(sys.argv[2])
    y = potentials(config, tensors, nodes, arcs, int(sys.argv[3]) - 1, int(sys.argv[4]) - 1)
    if len(sys.argv) > 5:
        theirs = np.load(sys.argv[5])[0]
        print(np.abs(y - theirs).max() / max(np.abs(theirs).max(), 1e-30))
    else:
        np.savetxt(sys.stdout, y)
