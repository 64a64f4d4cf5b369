"""The networkx backend and its drop-ins against networkx itself."""

import gc
import heapq
import inspect
import random
import weakref

import pytest

import lodestar
from lodestar import networkx_backend as ours
from lodestar.networkx_backend import FUNCTIONS, backend_info, dispatcher

nx = pytest.importorskip("networkx")

HOW = {"backend": dispatcher.convert_from_nx, "drop-in": lambda G: G}


@pytest.fixture(params=HOW)
def given(request):
    """Makes of a networkx graph what the functions are called with."""
    return HOW[request.param]


def random_graph(seed):
    rng = random.Random(seed)
    kind = rng.choice([nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
    G = kind()
    nodes = [("x", i) if i % 2 else f"node {i}" for i in range(rng.randint(1, 14))]
    G.add_nodes_from(nodes)
    for _ in range(rng.randint(0, 3 * len(nodes))):
        u, v = rng.choice(nodes), rng.choice(nodes)
        # Dyadic fractions: sums are exact, so ties are ties.
        G.add_edge(u, v, km=rng.randint(0, 8), hours=rng.randint(0, 16) / 4)
        if rng.random() < 0.2:
            G.add_edge(u, v)
    return G, nodes, rng


def outcome(call):
    """A result in a form that can be compared, or the type of what was raised, with its text."""
    try:
        found = call()
        return dict(found) if inspect.isgenerator(found) or hasattr(found, "__next__") else found
    except (nx.NetworkXException, ValueError) as error:
        return type(error), str(error)


def cost_of(G, path, weight):
    def cost(u, v):
        if callable(weight):
            return weight(u, v, G[u][v])
        edges = G[u][v].values() if G.is_multigraph() else [G[u][v]]
        return 1 if weight is None else min(data.get(weight, 1) for data in edges)

    return sum(cost(u, v) for u, v in zip(path, path[1:]))


def same(G, one, other, weight, sources=()):
    """Equal but for the choice among paths of equal cost, which begin at one of the sources."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(
            same(G, one[key], other[key], weight, sources) for key in one)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(
            same(G, a, b, weight, sources) for a, b in zip(one, other))
    if isinstance(one, list) and isinstance(other, list) and one != other:
        return ((one[0] == other[0] or one[0] in sources) and one[-1] == other[-1]
                and cost_of(G, one, weight) == cost_of(G, other, weight))
    # Sums of whole numbers are whole; others may be 0 in networkx and 0.0 here.
    return one == other and (type(one) is type(other) or weight == "hours")


def asymmetric(u, v, data):
    data = data if "km" in data or not data else min(data.values(), key=lambda d: d.get("km", 1))
    return None if data.get("km") == 7 else data.get("km", 1) + (2 if str(u) < str(v) else 0)


PAIR = ["astar_path", "astar_path_length", "dijkstra_path", "dijkstra_path_length",
        "bidirectional_dijkstra", "single_source_dijkstra", "shortest_path", "shortest_path_length"]
ONE = ["single_source_dijkstra", "single_source_dijkstra_path",
       "single_source_dijkstra_path_length", "shortest_path", "shortest_path_length"]
ALL = ["all_pairs_dijkstra", "all_pairs_dijkstra_path", "all_pairs_dijkstra_path_length",
       "shortest_path", "shortest_path_length"]
PLAIN = ["single_source_shortest_path", "single_source_shortest_path_length",
         "single_target_shortest_path", "single_target_shortest_path_length"]


@pytest.mark.parametrize("seed", range(120))
def test_every_function_agrees_with_networkx(given, seed):
    G, nodes, rng = random_graph(seed)
    H = given(G)
    s, t = rng.choice(nodes), rng.choice([*nodes, "nowhere"])
    cutoff = rng.choice([None, 0, 3, 6])
    weights = [None, "km", "hours", "missing"]
    if not G.is_multigraph() or all(len(G[u][v]) == 1 for u, v in G.edges()):
        weights.append(asymmetric)

    def check(name, *args, **kwargs):
        mine = outcome(lambda: FUNCTIONS[name](H, *args, **kwargs))
        truth = outcome(lambda: getattr(nx, name)(G, *args, **kwargs))
        sources = args[0] if name.startswith("multi_source") else ()
        assert same(G, mine, truth, kwargs.get("weight"), sources), (name, args, kwargs, mine,
                                                                     truth)

    for weight in weights:
        hides = callable(weight)
        for name in PAIR:
            # Of functions that hide edges, networkx 2.8 raises TypeError in A*.
            if not (hides and name.startswith("astar")):
                check(name, s, t, weight=weight)
        for name in ONE:
            check(name, s, weight=weight)
            check(name, "nowhere", weight=weight)
        for name in ALL:
            check(name, weight=weight)
        check("shortest_path_length", None, t, weight=weight)
        if not hides:  # networkx asks a function about turned edges: other paths have equal costs
            check("shortest_path", None, t, weight=weight)
        for name in ONE[:3]:
            check(name, s, weight=weight, cutoff=cutoff)
        for name in ("multi_source_dijkstra", "multi_source_dijkstra_path_length"):
            check(name, {s, nodes[0]}, weight=weight, cutoff=cutoff)
            check(name, [], weight=weight)
        check("multi_source_dijkstra", [s, nodes[-1]], t, weight=weight)
    for name in PLAIN:
        check(name, s, cutoff=cutoff)
        check(name, "nowhere")
    for name in ("all_pairs_shortest_path", "all_pairs_shortest_path_length"):
        check(name, cutoff=cutoff)
    for name in ("bidirectional_shortest_path", "has_path"):
        check(name, s, t)


@pytest.mark.parametrize("seed", range(40))
def test_predecessors_agree_with_networkx(given, seed):
    G, nodes, rng = random_graph(seed)
    for weight in ("km", "hours"):
        for cutoff in (None, 4):
            mine = ours.dijkstra_predecessor_and_distance(given(G), nodes[0], cutoff, weight)
            truth = nx.dijkstra_predecessor_and_distance(G, nodes[0], cutoff, weight)
            assert mine[1] == truth[1]
            assert {v: sorted(map(str, before)) for v, before in mine[0].items()} == {
                v: sorted(map(str, before)) for v, before in truth[0].items()}


SAME = ["bellman_ford_path", "bellman_ford_path_length", "single_source_bellman_ford",
        "single_source_bellman_ford_path", "single_source_bellman_ford_path_length",
        "all_pairs_bellman_ford_path", "all_pairs_bellman_ford_path_length", "floyd_warshall",
        "average_shortest_path_length"]


@pytest.mark.parametrize("seed", range(40))
def test_other_algorithms_agree_with_networkx(given, seed):
    G, nodes, rng = random_graph(seed)
    H = given(G)
    s, t = rng.choice(nodes), rng.choice([*nodes, "nowhere"])
    for name in SAME:
        ends = (s, t) if name.startswith("bellman") else (s,) if name.startswith("single") else ()
        weight = "km"
        mine = outcome(lambda: FUNCTIONS[name](H, *ends, weight=weight))
        truth = outcome(lambda: getattr(nx, name)(G, *ends, weight=weight))
        if name == "floyd_warshall":
            truth = {u: dict(row) for u, row in truth.items()}
        assert same(G, mine, truth, "hours" if "average" in name or "floyd" in name else weight), (
            name, mine, truth)
    # Not with arcs of weight 0, where networkx leaves some paths out.
    mine = outcome(lambda: sorted(ours.all_shortest_paths(H, s, t), key=str))
    assert mine == outcome(lambda: sorted(nx.all_shortest_paths(G, s, t), key=str))
    mine, truth = ours.predecessor(H, s, cutoff=2), nx.predecessor(G, s, cutoff=2)
    assert {v: sorted(map(str, before)) for v, before in mine.items()} == {
        v: sorted(map(str, before)) for v, before in truth.items()}
    if len(G) > 1:
        assert (ours.floyd_warshall_numpy(H, weight="km")
                == nx.floyd_warshall_numpy(G, weight="km")).all()
    before, costs = ours.goldberg_radzik(H, s, "km")
    truth = nx.single_source_dijkstra_path_length(G, s, weight="km")
    assert costs == truth
    assert all(before[v] is None or costs[before[v]] <= costs[v] for v in before)
    assert not ours.negative_edge_cycle(H, "km")


@pytest.mark.parametrize("seed", range(30))
def test_no_change_goes_unnoticed(given, seed):
    """Only the arcs that a search used are compared with the graph."""
    G, nodes, rng = random_graph(seed)
    H = given(G)
    for _ in range(25):
        s, t = rng.choice(nodes), rng.choice(nodes)
        name = rng.choice(["dijkstra_path_length", "bidirectional_dijkstra", "astar_path_length",
                           "single_source_dijkstra_path_length"])
        ends = (s, t) if "single" not in name else (s,)
        weight = rng.choice(["km", None])
        mine = outcome(lambda: FUNCTIONS[name](H, *ends, weight=weight))
        truth = outcome(lambda: getattr(nx, name)(G, *ends, weight=weight))
        assert same(G, mine, truth, weight), (name, s, t, mine, truth)
        u, v = rng.choice(nodes), rng.choice(nodes)
        change = rng.random()
        if change < 0.4 and G.has_edge(u, v):
            data = G[u][v][next(iter(G[u][v]))] if G.is_multigraph() else G[u][v]
            data["km"] = rng.randint(0, 8)
        elif change < 0.6 and G.has_edge(u, v):
            G.remove_edge(u, v)
        elif change < 0.9:
            G.add_edge(u, v, km=rng.randint(0, 8))
        elif len(nodes) > 2:
            G.remove_node(nodes.pop())
        else:
            nodes.append(f"new {len(nodes)}")
            G.add_edge(nodes[-1], nodes[0], km=1)


def test_a_weight_function_is_used_and_not_remembered(given):
    """The conversion for a function was the one of unit weights, and was kept for names."""
    G = nx.DiGraph()
    G.add_weighted_edges_from([("a", "b", 10), ("b", "c", 10), ("a", "c", 30)])
    H = given(G)
    length = ours.dijkstra_path_length
    assert length(H, "a", "c", weight=lambda u, v, d: 2 * d["weight"]) == 40
    assert length(H, "a", "c", weight="weight") == 20
    factor = 1

    def changing(u, v, d):
        return factor * d["weight"]

    assert length(H, "a", "c", weight=changing) == 20
    factor = 5
    assert length(H, "a", "c", weight=changing) == 100
    assert length(H, "a", "c", weight=None) == 1


def test_a_conversion_for_one_weight_does_not_answer_for_another(given):
    G = nx.DiGraph()
    for u, v, km in (("a", "b", 10), ("b", "c", 10), ("a", "c", 30)):
        G.add_edge(u, v, km=km, hours=1.5)
    H = dispatcher.convert_from_nx(G, edge_attrs={"km": 1}) if given is HOW["backend"] else G
    for _ in range(2):
        assert ours.dijkstra_path_length(H, "a", "c", weight="km") == 20
        assert ours.dijkstra_path_length(H, "a", "c", weight=None) == 1
        assert ours.dijkstra_path_length(H, "a", "c", weight="hours") == 1.5
        assert ours.dijkstra_path_length(H, "a", "c", weight="missing") == 1
        assert ours.dijkstra_path(H, "a", "c", weight="km") == ["a", "b", "c"]


def test_an_asymmetric_function_on_an_undirected_graph(given):
    """The cycle of networkx's own test: asked once per edge the answer was 43."""
    G = nx.cycle_graph(7)
    assert ours.bidirectional_dijkstra(given(G), 6, 4, weight=lambda u, v, _: 1 + v**2) == (
        35, [6, 0, 1, 2, 3, 4])


def test_changes_of_the_graph_are_noticed(given):
    G = nx.path_graph(4)
    H = given(G)
    nx.set_edge_attributes(G, 5, "weight")

    def length():
        return ours.dijkstra_path_length(H, 0, 3)

    assert length() == 15
    G[1][2]["weight"] = 1  # in place: networkx itself does not notice
    assert length() == 11
    G.add_edge(0, 3, weight=2)
    assert length() == 2
    G.remove_edge(0, 3)
    assert length() == 11
    del G[1][2]["weight"]
    assert length() == 11
    G.remove_node(2)
    with pytest.raises(nx.NetworkXNoPath):
        length()
    G.add_node("new")
    G.add_edge(0, "new", weight=1)
    G.add_edge("new", 3, weight=1)
    assert length() == 2 and ours.dijkstra_path(H, 0, 3) == [0, "new", 3]


def test_conversions_are_reused_and_let_go():
    from lodestar import _networkx

    G = nx.path_graph(50)
    def kept(weight):
        return _networkx.search_of(G, weight)._kept

    first = kept("weight")
    assert kept("weight") is first
    assert kept(lambda u, v, d: 1) is kept(lambda a, b, c: 1)
    for name in "abcdefgh":
        _networkx.search_of(G, name)
    assert len(_networkx._conversions(G)) <= 4
    gone, key = weakref.ref(G), id(G)
    assert key in _networkx._kept
    del G
    gc.collect()
    assert gone() is None and key not in _networkx._kept


def test_a_converted_graph_has_its_weights():
    G = nx.DiGraph()
    G.add_edge("a", "b", km=7, weight=1)
    g = lodestar.from_networkx(G, weight="km")
    assert ours.astar_path_length(g, "a", "b") == 7
    for weight in ("hours", "km", lambda u, v, d: 1, None):
        with pytest.raises(lodestar.Error, match="weights already"):
            ours.astar_path_length(g, "a", "b", weight=weight)


@pytest.mark.parametrize("bad", [-1, float("nan"), float("inf"), "heavy", 2**60])
def test_weights_that_only_networkx_can_have(given, bad):
    """Networkx takes NotImplementedError as a request to answer itself."""
    G = nx.Graph()
    G.add_edge("a", "b", weight=bad)
    for error in (lodestar.Error, NotImplementedError):
        with pytest.raises(error, match="'a' → 'b'"):
            ours.dijkstra_path(given(G), "a", "b")


def test_versions_of_networkx(monkeypatch):
    G = nx.path_graph(3)
    for version, message in {"2.8.8": "Either source 9", "3.2.1": "Either source 9",
                             "3.4": "Source 9", "3.7rc0.dev0": "Source 9", "4.0": "Source 9"}.items():
        monkeypatch.setattr(nx, "__version__", version)
        with pytest.raises(nx.NodeNotFound, match=message):
            ours.bidirectional_dijkstra(G, 9, 0)
        assert isinstance(ours.shortest_path(G), dict) == (version < "3.5")


def test_what_the_dispatcher_offers():
    for name in backend_info()["functions"]:
        assert callable(getattr(dispatcher, name))
        if not hasattr(nx, name):  # newer than this networkx
            assert "all_shortest_paths" in name
            continue
        mine, theirs = (list(inspect.signature(f).parameters) for f in (FUNCTIONS[name],
                                                                      getattr(nx, name)))
        assert mine[:len(theirs)] == [p for p in theirs if p != "backend"][:len(mine)], name
    assert dispatcher.can_run("dijkstra_path", (1, 2, 3), {"weight": len})
    assert not dispatcher.can_run("pagerank", (1,), {})
    G = nx.path_graph(3)
    assert dispatcher.convert_to_nx(dispatcher.convert_from_nx(G)) is G
    assert ours.shortest_path(G, 0, 2, "weight", "bellman-ford") == [0, 1, 2]
    assert ours.astar_path(G, 0, 2, cutoff=2) == [0, 1, 2]
    with pytest.raises(nx.NetworkXNoPath):
        ours.astar_path(G, 0, 2, cutoff=1)
    with pytest.raises(ValueError, match="method not supported: SPAM"):
        ours.shortest_path(G, method="SPAM")


def astar_of_3_6(G, source, target, heuristic, weight, cutoff):
    """Written for this test: the newest networkx's rules for a heuristic and a cutoff."""
    queue, count, best, parent = [(0, 0, source, 0, None)], 0, {}, {}
    while queue:
        _, _, u, cost, before = heapq.heappop(queue)
        if u == target:
            path = [u]
            while before is not None:
                path.append(before)
                before = parent[before]
            return path[::-1]
        if u in parent and (parent[u] is None or best[u][0] < cost):
            continue
        parent[u] = before
        for v, data in G.adj[u].items():
            w = weight(u, v, data)
            if w is None or v in best and best[v][0] <= cost + w:
                continue
            h = best[v][1] if v in best else heuristic(v, target)
            if cutoff and cost + w + h > cutoff:
                continue
            best[v] = cost + w, h
            count += 1
            heapq.heappush(queue, (cost + w + h, count, v, cost + w, u))
    return None


def test_astar_with_a_heuristic_takes_networkxs_path():
    """Also among several, with estimates that are too large, and beyond a cutoff."""
    for seed in range(60):
        rng = random.Random(seed)
        kind = rng.choice([nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
        G = kind(nx.gnm_random_graph(25, 60, seed=seed, directed=kind in (nx.DiGraph,
                                                                        nx.MultiDiGraph)))
        if G.is_multigraph():
            G.add_edges_from(list(G.edges())[:9])
        for u, v, data in G.edges(data=True):
            if rng.random() < 0.9:
                data["km"] = rng.choice([0, 1, 2, 2.5, 7])
        least = (lambda u, v, edges: min(d.get("km", 1) for d in edges.values())) \
            if G.is_multigraph() else (lambda u, v, d: d.get("km", 1))
        hidden = (lambda u, v, d: None if (u + v) % 7 == 0 else least(u, v, d))
        estimate = {v: rng.choice([0, 1, 3, 9]) for v in G}
        for weight, rule in (("km", least), (hidden, hidden)):
            for cutoff in (None, 0, 6):
                s, t = rng.sample(list(G), 2)
                guess = lambda u, v: estimate[u]
                expected = astar_of_3_6(G, s, t, guess, rule, cutoff)
                for view in (G, nx.subgraph_view(G)):
                    if expected is None:
                        with pytest.raises(nx.NetworkXNoPath):
                            ours.astar_path(view, s, t, guess, weight, cutoff=cutoff)
                        continue
                    assert ours.astar_path(view, s, t, guess, weight, cutoff=cutoff) == expected
                    cost = ours.astar_path_length(view, s, t, guess, weight, cutoff=cutoff)
                    assert cost == sum(rule(u, v, G.adj[u][v])
                                       for u, v in zip(expected, expected[1:]))
    G = nx.path_graph(3)
    assert type(ours.astar_path_length(G, 0, 2, lambda u, v: 0)) is int
    assert ours.astar_path(G, 1, 1, lambda u, v: 0) == [1]
    for bad in (-1, float("inf"), float("nan"), 2**60):
        G[1][2]["weight"] = bad
        with pytest.raises(NotImplementedError):
            ours.astar_path(G, 0, 2, lambda u, v: 0)
    with pytest.raises(TypeError):
        ours.astar_path(nx.path_graph(3), 0, 2, lambda u, v: "far")
    with pytest.raises(ZeroDivisionError):
        ours.astar_path(nx.path_graph(3), 0, 2, lambda u, v: 1 / 0)
    H = nx.path_graph(9)
    with pytest.raises(RuntimeError):
        ours.astar_path(H, 0, 8, lambda u, v: H.remove_edge(u, u + 1) or H.add_edge(u, 40 + u) or 0)
    for missing in ("x", []):
        with pytest.raises(nx.NodeNotFound):
            ours.astar_path(G, 0, missing, lambda u, v: 0)
