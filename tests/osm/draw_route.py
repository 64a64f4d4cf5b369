#!/usr/bin/env python3
"""Draws routes on the roads they lead along, to look at.

    draw_route.py EXTRACT.osm.pbf ROUTE.geojson OUT.png

The roads are the extract's own lines, taken out by osmium-tool, not by lodestar.
"""
import json
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plot


def main():
    extract, route, out = sys.argv[1:4]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["osmium", "tags-filter", extract, "w/highway", "-o", folder + "/roads.osm.pbf"], check=True,
                       capture_output=True)
        lines = subprocess.run(["osmium", "export", folder + "/roads.osm.pbf", "--geometry-types=linestring", "-f",
                                "geojsonseq", "-o", "-"], check=True, capture_output=True).stdout.decode()
    figure, axes = plot.subplots(figsize=(10, 10))
    for line in lines.split("\n"):
        line = line.strip("\x1e \n")
        if not line:
            continue
        feature = json.loads(line)
        x, y = zip(*feature["geometry"]["coordinates"])
        axes.plot(x, y, color="0.75", linewidth=0.5)
    with open(route, encoding="utf-8") as file:
        features = json.load(file)["features"]
    for i, feature in enumerate(features):
        x, y = zip(*feature["geometry"]["coordinates"])
        axes.plot(x, y, color=f"C{i}", linewidth=2)
        axes.plot(x[0], y[0], "o", color=f"C{i}")
        axes.plot(x[-1], y[-1], "s", color=f"C{i}")
    axes.set_aspect(1.35)
    figure.savefig(out, dpi=110, bbox_inches="tight")


if __name__ == "__main__":
    sys.exit(main())
