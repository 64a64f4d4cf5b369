"""A graph of the package as one of igraph."""

import numpy as np


def igraph_of(g):
    import igraph

    first, heads, weights = g.csr()
    tails = np.repeat(np.arange(g.nodes), np.diff(first))
    made = igraph.Graph(n=g.nodes, edges=np.stack([tails, heads], 1).tolist(), directed=True)
    made.es["weight"] = weights.tolist()
    return made
