// The graph as the server sends it (apps/server/viewer_data.h), with a spatial grid of its nodes.

export interface MethodInfo { name: string; title: string; summary: string }

// What a request with weights of its own may ask for.
export interface RequestFacts {
  metrics: { name: string; unit: string; mean: number }[];
  classes: string[];
  travel_times: boolean; potentials: boolean;
  frame: [number, number, number, number];  // coordinates of a point of the box: origin and step
}

export interface GraphHead {
  nodes: number; edges: number; arcs: number; bends: number;
  kind: "none" | "plane" | "degrees" | "grid";
  weight_name: "duration" | "distance" | "cost";  // costs in seconds, in metres, or without a unit
  weights_version: number;
  first_name: string; numbered: boolean;
  methods: MethodInfo[];
  request?: RequestFacts;  // absent in old recordings
}

export class Graph {
  readonly head: GraphHead;
  readonly position: Float32Array;  // [n × 2], y upwards
  readonly edge: Uint32Array;       // [e × 2] nodes
  readonly arc: Uint32Array;        // [e × 2] there and back
  readonly factor: Float32Array;    // [e]
  readonly firstBend: Uint32Array;  // [e + 1]
  readonly bend: Float32Array;      // [· × 2]
  readonly look: Uint32Array;       // [e] class in the low byte, 1 + street above it
  readonly classes: number[] = Array(10).fill(0);  // edges by class
  private readonly ofClass: Uint32Array[];
  private readonly grid: Grid;

  constructor(bytes: ArrayBuffer) {
    const size = new DataView(bytes).getUint32(0, true);
    this.head = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, size)));
    const { nodes, edges, bends } = this.head;
    let at = 4 + size;
    const take = <T>(make: (buffer: ArrayBuffer, at: number, count: number) => T, count: number): T => {
      const array = make(bytes, at, count);
      at += 4 * count;
      return array;
    };
    const floats = (b: ArrayBuffer, o: number, c: number) => new Float32Array(b, o, c);
    const wholes = (b: ArrayBuffer, o: number, c: number) => new Uint32Array(b, o, c);
    this.position = take(floats, 2 * nodes);
    this.edge = take(wholes, 2 * edges);
    this.arc = take(wholes, 2 * edges);
    this.factor = take(floats, edges);
    this.firstBend = take(wholes, edges + 1);
    this.bend = take(floats, 2 * bends);
    this.look = at + 4 * edges <= bytes.byteLength ? take(wholes, edges) : new Uint32Array(edges);  // old recordings have none
    for (const look of this.look) this.classes[look & 255]++;
    this.ofClass = this.classes.map((count) => new Uint32Array(count));
    const filled = this.classes.map(() => 0);
    for (let e = 0; e < edges; ++e) this.ofClass[this.look[e] & 255][filled[this.look[e] & 255]++] = e;
    this.grid = new Grid(this.position, nodes);
  }

  // Two nodes well apart, the same every time: from the south-west to the north-east of the middle.
  example(): [number, number] {
    const n = this.head.nodes, nodes = Array.from({ length: Math.min(n, 2000) }, (_, i) => Math.floor((i * n) / Math.min(n, 2000)));
    const at = (v: number) => this.position[2 * v] + 0.7 * this.position[2 * v + 1];
    nodes.sort((a, b) => at(a) - at(b));
    return [nodes[Math.floor(0.22 * (nodes.length - 1))], nodes[Math.ceil(0.78 * (nodes.length - 1))]];
  }

  edgesOfClass(rank: number): Uint32Array { return this.ofClass[rank]; }

  // The nearest street with a name, by the ends of its edges; empty if there is none.
  streetNear(node: number, streets: string[]): string {
    const { position, edge, look } = this;
    let best = 0, least = Infinity;
    for (let e = 0; e < this.head.edges && least > 0; ++e) {
      if (look[e] >>> 8 === 0) continue;
      for (const v of [edge[2 * e], edge[2 * e + 1]]) {
        const d = (position[2 * v] - position[2 * node]) ** 2 + (position[2 * v + 1] - position[2 * node + 1]) ** 2;
        if (d < least) { least = d; best = look[e] >>> 8; }
      }
    }
    return best > 0 ? streets[best - 1] ?? "" : "";
  }

  nearest(x: number, y: number): number { return this.grid.nearest(x, y); }

  // Edges with an end or a bend within `radius`.
  edgesNear(x: number, y: number, radius: number): number[] {
    const out: number[] = [];
    const near = (px: number, py: number) => (px - x) ** 2 + (py - y) ** 2 <= radius * radius;
    for (let e = 0; e < this.head.edges; ++e) {
      const u = this.edge[2 * e], v = this.edge[2 * e + 1];
      const ax = this.position[2 * u], ay = this.position[2 * u + 1];
      const bx = this.position[2 * v], by = this.position[2 * v + 1];
      if (Math.min(ax, bx) - radius > x || Math.max(ax, bx) + radius < x) continue;
      if (Math.min(ay, by) - radius > y || Math.max(ay, by) + radius < y) continue;
      // The nearest point of the straight line between the ends.
      const dx = bx - ax, dy = by - ay, square = dx * dx + dy * dy;
      const t = square > 0 ? Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / square)) : 0;
      if (near(ax + t * dx, ay + t * dy)) out.push(e);
    }
    return out;
  }

  costText(cost: number, name: string = this.head.weight_name): string {
    const unit = { duration: " s", distance: " m" }[name] ?? "";
    return cost.toLocaleString("en", { maximumFractionDigits: 2 }) + unit;
  }
}

// Nodes by cells, about two in each.
class Grid {
  private readonly side: number;
  private readonly first: Uint32Array;
  private readonly item: Uint32Array;
  private low = [Infinity, Infinity];
  private size = 1;

  constructor(private readonly position: Float32Array, nodes: number) {
    this.side = Math.max(1, Math.min(1500, Math.ceil(Math.sqrt(nodes / 2))));
    let high = [-Infinity, -Infinity];
    for (let v = 0; v < nodes; ++v) {
      for (let k = 0; k < 2; ++k) {
        this.low[k] = Math.min(this.low[k], position[2 * v + k]);
        high[k] = Math.max(high[k], position[2 * v + k]);
      }
    }
    this.size = Math.max(high[0] - this.low[0], high[1] - this.low[1]) || 1;
    const cell = new Uint32Array(nodes);
    this.first = new Uint32Array(this.side * this.side + 1);
    for (let v = 0; v < nodes; ++v) {
      cell[v] = this.cellOf(position[2 * v], position[2 * v + 1]);
      this.first[cell[v] + 1]++;
    }
    for (let c = 0; c < this.side * this.side; ++c) this.first[c + 1] += this.first[c];
    const next = this.first.slice();
    this.item = new Uint32Array(nodes);
    for (let v = 0; v < nodes; ++v) this.item[next[cell[v]]++] = v;
  }

  private index(value: number, k: number): number {
    const i = Math.floor(((value - this.low[k]) / this.size) * this.side);
    return Math.max(0, Math.min(this.side - 1, i));
  }
  private cellOf(x: number, y: number): number {
    return this.index(y, 1) * this.side + this.index(x, 0);
  }

  nearest(x: number, y: number): number {
    const cx = this.index(x, 0), cy = this.index(y, 1), step = this.size / this.side;
    let best = -1, square = Infinity;
    for (let ring = 0; ring < this.side; ++ring) {
      // Cells of farther rings are at least this far away, from a point inside the box.
      if (best >= 0 && ((ring - 1) * step) ** 2 > square) break;
      for (let j = cy - ring; j <= cy + ring; ++j) {
        if (j < 0 || j >= this.side) continue;
        const edge = j === cy - ring || j === cy + ring;
        for (let i = cx - ring; i <= cx + ring; i += edge || ring === 0 ? 1 : 2 * ring) {
          if (i < 0 || i >= this.side) continue;
          const cell = j * this.side + i;
          for (let k = this.first[cell]; k < this.first[cell + 1]; ++k) {
            const v = this.item[k];
            const d = (this.position[2 * v] - x) ** 2 + (this.position[2 * v + 1] - y) ** 2;
            if (d < square) { square = d; best = v; }
          }
        }
      }
    }
    return best;
  }
}
