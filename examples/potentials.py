#!/usr/bin/env python3
"""A model's potentials in plain numpy: the equations of docs/design/TRAINING.md, nothing else.

    lodestar convert graph.lsg graph.gr                     # DIMACS, nodes 1 … n
    lodestar predict graph.gr --model deep --from 1 --to 9 -o y.npy
    python3 examples/potentials.py learn/models/deep-....safetensors graph.gr 1 9 y.npy

Prints the largest difference to the potentials in y.npy, relative to the largest of them; without
y.npy, the potentials themselves.
"""
import json
import struct
import sys

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


def graph_input(nodes, arcs, config):
    """(sender, receiver, weight, is_loop) of every arc of the network, and the unit of y."""
    weights = np.array([w for _, _, w in arcs])
    largest = weights.max() if len(arcs) else 0
    unit = 1 if largest == 0 or 0.5 < largest <= 1 else 2 * weights.mean()
    c = 1
    if config["degree_normalisation"] and arcs:
        c = len(arcs) / nodes / config["reference_degree"]
    rows = [(v, v, 0.0, 1) for v in range(nodes)]
    ends = {}  # weights of the arcs that leave and enter each node
    arcs = [(tail, head, np.float32(w * c / unit)) for tail, head, w in arcs if tail != head]
    for tail, head, scaled in arcs:
        ends.setdefault((tail, "leave"), []).append(scaled)
        ends.setdefault((head, "enter"), []).append(scaled)
    sixth = {end: sorted(w)[:6][-1] for end, w in ends.items()}
    for tail, head, scaled in arcs:
        few = scaled <= 2 and scaled <= max(sixth[tail, "leave"], sixth[head, "enter"])
        if config["degree_normalisation"] and scaled > 1 and not few:
            continue
        against = config["direction"] == "against"
        rows.append((head, tail, scaled, 0) if against else (tail, head, scaled, 0))
    return np.array(rows), unit / c


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
    for _ in range(config["steps"]):
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
    y = y[:, 0] if y.shape[1] == 1 else (y - y[target]).min(1)
    return y * config["y_scale"] * unit


if __name__ == "__main__":
    config, tensors = read_model(sys.argv[1])
    nodes, arcs = read_dimacs(sys.argv[2])
    y = potentials(config, tensors, nodes, arcs, int(sys.argv[3]) - 1, int(sys.argv[4]) - 1)
    if len(sys.argv) > 5:
        theirs = np.load(sys.argv[5])[0]
        print(np.abs(y - theirs).max() / max(np.abs(theirs).max(), 1e-30))
    else:
        np.savetxt(sys.stdout, y)
