"""A researcher's loop: the network `deep` on random graphs, with and without its closure.

    python3 learned_heuristics.py [--small]          # writes learned_heuristics.png
"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import lodestar


def main():
    sizes = (32, 64) if "--small" in sys.argv else (32, 64, 128, 256, 512)
    repeats = 5 if "--small" in sys.argv else 40
    model = lodestar.Model("deep")
    shares = {"as predicted": [], "closed (exact)": [], "perfect": []}
    rng = np.random.default_rng(1)
    for n in sizes:
        rows = {name: [] for name in shares}
        excess = []
        for repeat in range(repeats):
            g = lodestar.generate("er", n, density="dense", seed=1000 * n + repeat)
            s, t = map(int, rng.choice(n, 2, replace=False))
            truth = lodestar.Router(g, algorithm="dijkstra").path(s, t)
            if not truth.reached:
                continue
            raw = lodestar.Router(g, potential=model.potentials(g, s, t)).path(s, t)
            closed = lodestar.Router(g, potential=model.potentials(g, s, t, exact=True),
                                     guarantee="consistent").path(s, t)
            assert closed.cost == truth.cost
            excess.append(raw.cost / truth.cost - 1)
            rows["as predicted"].append(raw.expansions / truth.expansions)
            rows["closed (exact)"].append(closed.expansions / truth.expansions)
            rows["perfect"].append(len(truth) / truth.expansions)
        for name, values in rows.items():
            shares[name].append(float(np.mean(values)))
        print(f"n = {n:4}: expansions ÷ Dijkstra's "
              + ", ".join(f"{name} {values[-1]:.3f}" for name, values in shares.items())
              + f"; paths {100 * float(np.mean(excess)):.3f} % too long")
    for name, values in shares.items():
        plt.plot(sizes, values, marker="o", label=name)
    plt.xscale("log", base=2)
    plt.xlabel("nodes")
    plt.ylabel("expansions ÷ Dijkstra's")
    plt.ylim(bottom=0)
    plt.legend()
    plt.savefig("learned_heuristics.png", dpi=110)


if __name__ == "__main__":
    main()
