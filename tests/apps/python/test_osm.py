"""OpenStreetMap in, places and streets out."""

import bz2
import gzip
import json
import pickle

import numpy as np
import pytest

import lodestar
from conftest import reads_openstreetmap

# A block of four streets, one of them one-way, and a lane without access.
#
#   3 ─ North ─ 4 ─ North ─ 5
#   │           ↓           │
#   │        Middle         │
#   │           ↓           │
#   1 ─ South ─ 2 ─ South ─ 6
NODES = {1: (9.500, 47.100), 2: (9.502, 47.100), 3: (9.500, 47.101), 4: (9.502, 47.101),
         5: (9.504, 47.101), 6: (9.504, 47.100), 7: (9.501, 47.1002)}
WAYS = [
    ("South Street", [1, 7, 2, 6], {}),
    ("North Street", [3, 4, 5], {}),
    ("West Lane", [1, 3], {}),
    ("East Lane", [5, 6], {}),
    ("Middle Street", [4, 2], {"oneway": "yes"}),
]
NO_LEFT = """<relation id="1"><member type="way" ref="102" role="from"/>
<member type="node" ref="4" role="via"/><member type="way" ref="105" role="to"/>
<tag k="type" v="restriction"/><tag k="restriction" v="no_right_turn"/></relation>"""


def extract(relations=""):
    lines = ["<?xml version='1.0' encoding='UTF-8'?>", '<osm version="0.6">']
    for number, (lon, lat) in NODES.items():
        lines.append(f'<node id="{number}" lon="{lon}" lat="{lat}"/>')
    for i, (name, nodes, tags) in enumerate(WAYS):
        lines.append(f'<way id="{101 + i}">' + "".join(f'<nd ref="{n}"/>' for n in nodes))
        for key, value in {"highway": "residential", "name": name, **tags}.items():
            lines.append(f'<tag k="{key}" v="{value}"/>')
        lines.append("</way>")
    return "\n".join([*lines, relations, "</osm>"]).encode()


@pytest.fixture
def town(tmp_path):
    path = tmp_path / "town.osm"
    path.write_bytes(extract())
    if not reads_openstreetmap():
        pytest.skip("built without OpenStreetMap")
    return lodestar.read(path)


def test_every_packing_is_the_same_graph(town, tmp_path):
    for name, pack in (("t.osm.gz", gzip.compress), ("t.osm.bz2", bz2.compress)):
        (tmp_path / name).write_bytes(pack(extract()))
        again = lodestar.read(tmp_path / name, threads=1)
        for a, b in zip(again.csr(), town.csr()):
            assert a.tolist() == b.tolist()
    assert town.coordinates == "degrees" and town.directed


def test_profiles_weights_and_turns(town, tmp_path):
    path = tmp_path / "town.osm"
    by_time = lodestar.Router(town)
    by_length = lodestar.Router(lodestar.read(path, weight="length"))
    south, north = (9.5005, 47.1), (9.5035, 47.1009)
    for r in (by_time, by_length):
        p = r.path(r.nearest(south), r.nearest(north))
        assert p.optimal and p.distance > 100 and p.duration > 0
        assert [name for name, _ in p.streets][0] == "South Street"
    p = by_length.path(by_length.nearest(south), by_length.nearest(north))
    assert abs(p.cost / 10 - p.distance) < 1
    walk = lodestar.read(path, profile="foot")
    assert walk.arcs > town.arcs  # walkers may go up Middle Street
    with pytest.raises(lodestar.Error, match="profile"):
        lodestar.read(path, profile="submarine")
    with pytest.raises(lodestar.Error):
        lodestar.read(path, weight="nonsense")
    with pytest.raises(lodestar.Error):
        (tmp_path / "a.gr").write_text("p sp 2 1\na 1 2 3\n")
        lodestar.read(tmp_path / "a.gr", turns=True)

    (tmp_path / "turns.osm").write_bytes(extract(NO_LEFT))
    west, middle = (9.501, 47.101), (9.502, 47.1004)
    free = lodestar.Router(lodestar.read(tmp_path / "turns.osm"))
    bound = lodestar.Router(lodestar.read(tmp_path / "turns.osm", turns=True))
    direct = free.path(free.nearest(west), free.nearest(middle))
    # North Street both ways leads to the same node; the way from the west may not turn right.
    around = bound.path(bound.nearest(west), bound.nearest(middle))
    assert around.cost >= direct.cost


def test_places(town):
    r = lodestar.Router(town)
    place = r.nearest((9.5031, 47.1011))
    assert place.street == "North Street" and 5 < place.distance < 20
    assert place.xy[1] == pytest.approx(47.101) and place.asked == (9.5031, 47.1011)
    assert 0 <= place.node < town.nodes and "Place" in repr(place)
    # Down the one-way is short, up is not.
    top, bottom = r.nearest((9.502, 47.1008)), r.nearest((9.502, 47.1002))
    assert r.path(top, bottom).cost < 0.5 * r.path(bottom, top).cost
    ends = r.nearest_nodes([place.asked, (9.5, 47.1)])
    assert ends[0] == place.node and len(ends) == 2
    for bad in ((9.5, 47.5), (200, 0), (0, 95), (float("nan"), 1), (1,), "here", None):
        with pytest.raises(lodestar.Error):
            r.nearest(bad)
    with pytest.raises(lodestar.Error, match="place 1"):
        r.nearest_nodes([(9.5, 47.1), (9.9, 47.1)])
    assert r.nearest((9.51, 47.1), limit=1e6).distance > 100
    assert r.path(place, 0).cost == r.path(place.node, 0).cost
    other = lodestar.Router(lodestar.from_edges([0], [1], [1.0], xy=[[0, 0], [1, 1]]))
    with pytest.raises(lodestar.Error, match="another"):
        other.path(place, place)
    with pytest.raises(lodestar.Error, match="coordinates"):
        lodestar.Router(lodestar.from_edges([0], [1], [1.0])).nearest((0, 0))


def test_geojson_follows_the_road(town):
    r = lodestar.Router(town)
    p = r.path(r.nearest((9.5002, 47.1)), r.nearest((9.5038, 47.1)))
    feature = json.loads(json.dumps(p.geojson()))
    line = feature["geometry"]["coordinates"]
    assert [9.501, 47.1002] in line  # a bend, no node of the graph
    assert line[0] == pytest.approx([9.5002, 47.1], abs=1e-4)
    assert feature["properties"]["streets"][0]["name"] == "South Street"
    assert feature["properties"]["streets"][0]["distance"] > 100
    assert feature["properties"]["distance"] == pytest.approx(p.distance, abs=0.05)
    assert feature["properties"]["optimal"] is True
    assert pickle.loads(pickle.dumps(p)).geojson() == p.geojson()
    stay = r.path(0, 0).geojson()["geometry"]["coordinates"]
    assert len(stay) == 2 and stay[0] == stay[1]


def test_geojson_has_seconds_and_metres(town, tmp_path):
    by_length = lodestar.read(tmp_path / "town.osm", weight="length")
    for g, name in ((town, "duration"), (by_length, "distance")):
        r = lodestar.Router(g)
        p = r.path(r.nearest((9.5002, 47.1)), r.nearest((9.5038, 47.1)))
        facts = p.geojson()["properties"]
        assert facts["cost"] == facts["lower_bound"] == pytest.approx(facts[name], abs=0.11)
        assert facts["cost"] == pytest.approx(p.cost / 10, abs=0.051)
        assert list(facts) == ["cost", "lower_bound", "optimal", "distance", "duration", "streets"]
        # Weights of another unit are not converted.
        r = lodestar.Router(g.with_weights(3 * g.csr()[2]))
        p = r.path(0, 1)
        assert p.geojson()["properties"]["cost"] == p.cost


def test_shape_travels_and_an_index_knows_nothing_of_it(town, tmp_path):
    r = lodestar.Router(town, lodestar.index(town, rounds=1))
    a, b = (9.5002, 47.1), (9.5038, 47.101)
    p = r.path(r.nearest(a), r.nearest(b))
    again = pickle.loads(pickle.dumps(town))  # in memory: as the bytes of a file
    assert again.file == ""
    town.save(tmp_path / "town.lsg")
    for g in (again, lodestar.read(tmp_path / "town.lsg"), pickle.loads(pickle.dumps(town))):
        q = lodestar.Router(g)
        found = q.path(q.nearest(a), q.nearest(b))
        assert found.cost == p.cost and found.streets == p.streets
    rush = town.with_weights(3 * town.csr()[2])
    q = lodestar.Router(rush)
    assert q.path(q.nearest(a), q.nearest(b)).cost == pytest.approx(3 * p.cost)


def test_broken_extracts_are_errors(tmp_path):
    for name, content in (("a.osm.pbf", b""), ("b.osm.pbf", b"\x00\x00\x00\x0d nonsense"),
                          ("c.osm", b"<osm><node"), ("d.osm.gz", b"\x1f\x8bnonsense"),
                          ("e.osm", b"<osm version='0.6'></osm>")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(lodestar.Error):
            lodestar.read(tmp_path / name)
    with pytest.raises(lodestar.Error):
        lodestar.read(tmp_path / "missing.osm.pbf")


def test_places_in_the_plane():
    g = lodestar.from_edges([0, 1], [1, 2], [4.0, 4.0], xy=np.array([[0, 0], [8, 0], [8, 8]]))
    r = lodestar.Router(g)
    p = r.path(r.nearest((2, 1)), r.nearest((9, 4)))
    assert p.cost == 5.0 and p.distance == 10.0 and p.duration is None and p.streets == []
    assert p.geojson()["geometry"]["coordinates"] == [[2, 0], [8, 0], [8, 4]]
    back = r.path(r.nearest((9, 4)), r.nearest((2, 1)))
    assert not back.reached and back.geojson()["geometry"] is None
