"""A grid map, and what each heuristic expands on it: game_map.png.

    python3 game_map.py [--small]

`lodestar.read("orz100d.map")` reads MovingAI maps.
"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import lodestar


def main():
    g = lodestar.generate("grid", 2_500 if "--small" in sys.argv else 40_000, seed=2)
    potentials = lodestar.fit(g, seconds=0.5 if "--small" in sys.argv else 5)
    routers = {
        "Dijkstra": lodestar.Router(g, algorithm="dijkstra"),
        "A*, octile distance": lodestar.Router(g, heuristic="geometric"),
        "A*, learned potentials": lodestar.Router(g, potentials),
    }
    source = int(np.argmin(g.xy.sum(axis=1)))
    target = int(np.argmax(g.xy.sum(axis=1)))
    figure, axes = plt.subplots(1, 3, figsize=(15, 5.4))
    for axis, (name, router) in zip(axes, routers.items()):
        steps = router.trace(source, target)
        path = router.path(source, target)
        seen = g.xy[steps["node"]]
        axis.scatter(*g.xy.T, s=1, c="0.9", marker="s")
        axis.scatter(*seen.T, s=1, c=np.arange(len(seen)), cmap="viridis", marker="s")
        axis.plot(*path.xy.T, c="crimson", lw=1.5)
        axis.set_title(f"{name}: {path.expansions} expanded")
        axis.set_aspect("equal")
        axis.axis("off")
        print(f"{name:24} {path.expansions:6} expansions, cost {path.cost:.3f}, "
              f"{'optimal' if path.optimal else 'not proven to be optimal'}")
    figure.tight_layout()
    figure.savefig("game_map.png", dpi=110)


if __name__ == "__main__":
    main()
