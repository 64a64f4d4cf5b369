// The map below everything: water and parks, roads by class, names of streets, a scale.
import { Graph } from "./graph";
import { toScreen, View } from "./draw";

export interface BaseMap {
  streets: string[];
  areas: { kind: "water" | "green" | "wood" | "sea" | "stream"; lines: number[][] }[];
}
export const NO_MAP: BaseMap = { streets: [], areas: [] };

// By rank of the class: width on the ground in metres, least width on the screen in pixels.
const WIDTHS: [number, number][] = [
  [8, 0.7], [2.5, 0.5], [4.5, 0.5], [8, 0.8], [10, 1.2], [12, 1.7], [14, 2.3], [16, 2.6], [20, 3], [3, 1],
];
const PATH = 1, FERRY = 9;
const COLOURS = ["minor", "path", "minor", "minor", "minor", "middle", "major", "major", "motorway", "ferry"];

export function style(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// Of the box of 1. Without coordinates on the earth: as if junctions were 80 m apart.
export function metresOfBox(graph: Graph): number {
  const frame = graph.head.request?.frame;
  if (graph.head.kind === "degrees" && frame) return Math.abs(frame[3]) * 111_195;
  return 80 * Math.sqrt(graph.head.nodes);
}

export function hasClasses(graph: Graph): boolean { return graph.classes.some((count, rank) => rank > 0 && count > 0); }

interface Frame { context: CanvasRenderingContext2D; width: number; height: number; view: View }

function trace({ context, width, height, view }: Frame, graph: Graph, e: number): boolean {
  const { position, edge, firstBend, bend } = graph, u = edge[2 * e], v = edge[2 * e + 1];
  const ax = view.x + view.k * position[2 * u], ay = view.y - view.k * position[2 * u + 1];
  const bx = view.x + view.k * position[2 * v], by = view.y - view.k * position[2 * v + 1];
  if ((ax < -80 && bx < -80) || (ax > width + 80 && bx > width + 80)) return false;
  if ((ay < -80 && by < -80) || (ay > height + 80 && by > height + 80)) return false;
  context.moveTo(ax, ay);
  for (let i = firstBend[e]; i < firstBend[e + 1]; ++i) {
    context.lineTo(view.x + view.k * bend[2 * i], view.y - view.k * bend[2 * i + 1]);
  }
  context.lineTo(bx, by);
  return true;
}

function drawAreas({ context, view }: Frame, map: BaseMap): void {
  for (const kind of ["sea", "green", "wood", "water", "stream"]) {
    context.fillStyle = context.strokeStyle = style(kind === "green" ? "--green" : kind === "wood" ? "--wood" : "--water");
    for (const area of map.areas) {
      if (area.kind !== kind) continue;
      context.beginPath();
      for (const line of area.lines) {
        for (let i = 0; i < line.length; i += 2) {
          const [x, y] = toScreen(view, line[i], line[i + 1]);
          if (i === 0) context.moveTo(x, y); else context.lineTo(x, y);
        }
      }
      if (kind === "stream") { context.lineWidth = 1.5; context.stroke(); } else context.fill("evenodd");
    }
  }
}

export function drawMap(frame: Frame, graph: Graph, map: BaseMap): void {
  const { context, view } = frame;
  drawAreas(frame, map);
  const scale = view.k / metresOfBox(graph);  // pixels of a metre
  const widths = WIDTHS.map(([metres, least]) => Math.min(40, Math.max(least, metres * scale)));
  context.lineCap = context.lineJoin = "round";
  const stroke = (rank: number, width: number, colour: string) => {
    context.strokeStyle = style(colour);
    context.lineWidth = width;
    const edges = graph.edgesOfClass(rank);
    // Short pieces: one path of 300,000 edges takes longer than its parts.
    for (let begin = 0; begin < edges.length; begin += 4000) {
      context.beginPath();
      for (let i = begin; i < Math.min(edges.length, begin + 4000); ++i) trace(frame, graph, edges[i]);
      context.stroke();
    }
  };
  const order = [1, 2, 0, 3, 4, 5, 6, 7, 8];
  for (const rank of order) if (rank !== PATH && widths[rank] > 2.4) stroke(rank, widths[rank] + 1.6, rank > 4 ? "--case-major" : "--case");
  for (const rank of order) {
    if (rank === PATH) context.setLineDash(widths[PATH] > 1 ? [4, 3] : []);
    const thin = widths[rank] <= 2.4 && rank < 5;  // white on the ground would not be seen
    stroke(rank, widths[rank], rank !== PATH && thin ? "--thin" : `--road-${rank === 5 && widths[5] <= 2.4 ? "major" : COLOURS[rank]}`);
    context.setLineDash([]);
  }
  context.setLineDash([6, 5]);
  stroke(FERRY, widths[FERRY], "--road-ferry");
  context.setLineDash([]);
  drawNames(frame, graph, map, scale, widths);
}

// Pieces of one street in a row, as points of the screen.
function chains(frame: Frame, graph: Graph, edges: number[]): number[][] {
  const at = new Map<number, number[]>();
  for (const e of edges) for (const v of [graph.edge[2 * e], graph.edge[2 * e + 1]]) at.set(v, [...(at.get(v) ?? []), e]);
  const used = new Set<number>(), out: number[][] = [];
  const points = (e: number, from: number): number[] => {
    const { position, firstBend, bend, edge } = graph, line: number[] = [];
    const nodes = [edge[2 * e], edge[2 * e + 1]];
    line.push(position[2 * nodes[0]], position[2 * nodes[0] + 1]);
    for (let i = 2 * firstBend[e]; i < 2 * firstBend[e + 1]; ++i) line.push(bend[i]);
    line.push(position[2 * nodes[1]], position[2 * nodes[1] + 1]);
    if (nodes[0] === from) return line;
    const back: number[] = [];
    for (let i = line.length - 2; i >= 0; i -= 2) back.push(line[i], line[i + 1]);
    return back;
  };
  const starts = edges.slice().sort((a, b) => Math.min(...ends(a)) - Math.min(...ends(b)));
  function ends(e: number): number[] { return [at.get(graph.edge[2 * e])!.length, at.get(graph.edge[2 * e + 1])!.length]; }
  for (const first of starts) {
    if (used.has(first)) continue;
    const [a, b] = ends(first);
    let node = a <= b ? graph.edge[2 * first] : graph.edge[2 * first + 1], e: number | undefined = first;
    const line: number[] = [];
    while (e !== undefined) {
      used.add(e);
      const more = points(e, node);
      line.push(...(line.length === 0 ? more : more.slice(2)));
      node = graph.edge[2 * e] === node ? graph.edge[2 * e + 1] : graph.edge[2 * e];
      e = at.get(node)!.find((other) => !used.has(other));
    }
    out.push(line.map((value, i) => (i % 2 === 0 ? frame.view.x + frame.view.k * value : frame.view.y - frame.view.k * value)));
  }
  return out;
}

// Letters along a line, about its middle. False if it is too short, too bent, or covers another.
function write({ context, width, height }: Frame, line: number[], text: string, taken: number[][]): boolean {
  const long = context.measureText(text).width;
  let total = 0;
  for (let i = 2; i < line.length; i += 2) total += Math.hypot(line[i] - line[i - 2], line[i + 1] - line[i - 1]);
  if (total < long + 16) return false;
  if (line[line.length - 2] < line[0]) {  // read from left to right
    const back: number[] = [];
    for (let i = line.length - 2; i >= 0; i -= 2) back.push(line[i], line[i + 1]);
    line = back;
  }
  const letters: [string, number, number, number][] = [];
  let at = (total - long) / 2, walked = 0, i = 2, last = NaN;
  for (const letter of text) {
    const wide = context.measureText(letter).width, middle = at + wide / 2;
    let piece = Math.hypot(line[i] - line[i - 2], line[i + 1] - line[i - 1]);
    while (walked + piece < middle && i + 2 < line.length) {
      walked += piece;
      i += 2;
      piece = Math.hypot(line[i] - line[i - 2], line[i + 1] - line[i - 1]);
    }
    const t = piece > 0 ? (middle - walked) / piece : 0, angle = Math.atan2(line[i + 1] - line[i - 1], line[i] - line[i - 2]);
    if (Math.abs(angle - last) > 0.5) return false;
    last = angle;
    const x = line[i - 2] + t * (line[i] - line[i - 2]), y = line[i - 1] + t * (line[i + 1] - line[i - 1]);
    if (x < 4 || y < 8 || x > width - 4 || y > height - 8) return false;
    letters.push([letter, x, y, angle]);
    at += wide;
  }
  if (letters.some(([, x, y]) => taken.some(([tx, ty]) => Math.abs(tx - x) < 12 && Math.abs(ty - y) < 12))) return false;
  for (const [letter, x, y, angle] of letters) {
    taken.push([x, y]);
    context.save();
    context.translate(x, y);
    context.rotate(angle);
    context.strokeText(letter, 0, 0);
    context.fillText(letter, 0, 0);
    context.restore();
  }
  return true;
}

function drawNames(frame: Frame, graph: Graph, map: BaseMap, scale: number, widths: number[]): void {
  if (map.streets.length === 0) return;
  const least = scale > 0.5 ? 1 : scale > 0.22 ? 3 : scale > 0.1 ? 5 : scale > 0.05 ? 6 : 10;
  const { context, view } = frame, byStreet = new Map<number, number[]>();
  for (let rank = least; rank < FERRY; ++rank) {
    for (const e of graph.edgesOfClass(rank)) {
      const street = graph.look[e] >>> 8, u = graph.edge[2 * e];
      if (street === 0) continue;
      const [x, y] = toScreen(view, graph.position[2 * u], graph.position[2 * u + 1]);
      if (x < -300 || y < -300 || x > frame.width + 300 || y > frame.height + 300) continue;
      const list = byStreet.get(street);
      if (list) list.push(e); else byStreet.set(street, [e]);
    }
  }
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.fillStyle = style("--label");
  context.strokeStyle = style("--halo");
  const streets = [...byStreet].map(([street, edges]) => ({ street, edges, rank: Math.max(...edges.slice(0, 50).map((e) => graph.look[e] & 255)) }));
  streets.sort((a, b) => b.rank - a.rank || b.edges.length - a.edges.length);
  const taken: number[][] = [];
  for (const { street, edges, rank } of streets.slice(0, 400)) {
    context.font = `${rank > 5 ? 12.5 : 11}px system-ui, sans-serif`;
    context.lineWidth = widths[rank] > 9 ? 2 : 3.5;
    const lines = chains(frame, graph, edges).sort((a, b) => b.length - a.length);
    let written = 0;
    for (const line of lines.slice(0, 6)) if (written < 2 && write(frame, line, map.streets[street - 1], taken)) ++written;
  }
}

// A round length of 60 to 150 pixels, as text and pixels; null where the map has no metres.
export function scaleBar(graph: Graph, view: View): { text: string; width: number } | null {
  if (graph.head.kind !== "degrees") return null;
  const metre = view.k / metresOfBox(graph);
  for (let power = 1; power < 1e7; power *= 10) {
    for (const step of [1, 2, 5]) {
      const width = step * power * metre;
      if (width >= 60) return { text: step * power >= 1000 ? `${(step * power) / 1000} km` : `${step * power} m`, width };
    }
  }
  return null;
}

// Rows of the legend: what this map has.
export function legend(graph: Graph, map: BaseMap): [string, string][] {
  const { classes } = graph, rows: [string, string][] = [];
  const add = (ranks: number[], colour: string, text: string) => { if (ranks.some((rank) => classes[rank] > 0)) rows.push([colour, text]); };
  if (!hasClasses(graph)) return rows;
  add([8], "--road-motorway", "motorway");
  add([5, 6, 7], "--road-major", "main road");
  add([2, 3, 4], "--road-minor", "street");
  add([1], "--road-path", "path");
  add([9], "--road-ferry", "ferry");
  if (map.areas.some((a) => a.kind === "water" || a.kind === "sea")) rows.push(["--water", "water"]);
  if (map.areas.some((a) => a.kind === "green" || a.kind === "wood")) rows.push(["--green", "park, wood"]);
  return rows;
}
