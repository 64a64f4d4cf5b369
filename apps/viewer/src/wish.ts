// What the user wants of this request: areas and classes to avoid, a blend, a departure, other
// routes. As the options of a URL (docs/guide/serve.md), and drawn.
import { Graph } from "./graph";
import { toScreen, View } from "./draw";

export type Area = { x: number; y: number; r: number } | { line: number[] };  // in the box of 1

const METRES = 6371008.8 * Math.PI / 180;  // in a degree
const CORNERS = 40;  // of an outline, at most

export class Wish {
  areas: Area[] = [];
  shortest = 0;  // 0: fastest, 1: shortest
  exclude: string[] = [];
  depart = "";
  alternatives = 0;

  constructor(private readonly graph: Graph) {}

  get empty(): boolean { return this.options() === ""; }

  private get metres(): number { return this.graph.head.kind === "degrees" ? METRES : 1; }
  // Metrics by unit, where the graph has both.
  get blendable(): { time: string; length: string; ratio: number } | null {
    const metrics = this.graph.head.request?.metrics ?? [];
    const time = metrics.find((m) => m.unit === "s"), length = metrics.find((m) => m.unit === "m");
    return time && length && length.mean > 0 ? { time: time.name, length: length.name, ratio: time.mean / length.mean } : null;
  }

  options(): string {
    const frame = this.graph.head.request?.frame ?? [0, 0, 1, 1];
    const digits = this.graph.head.kind === "degrees" ? 6 : 4;
    const number = (value: number) => String(Number(value.toFixed(digits)));
    const point = (x: number, y: number) => `${number(frame[0] + x * frame[2])},${number(frame[1] + y * frame[3])}`;
    const parts: [string, string][] = [];
    const circles = this.areas.flatMap((a) => ("r" in a ? [`${point(a.x, a.y)},${(a.r * Math.abs(frame[3]) * this.metres).toFixed(2)}`] : []));
    const outlines = this.areas.flatMap((a) => ("line" in a ? [corners(a.line).map(([x, y]) => point(x, y)).join(",")] : []));
    if (circles.length > 0) parts.push(["avoid_circles", circles.join(";")]);
    if (outlines.length > 0) parts.push(["avoid_polygons", outlines.join(";")]);
    if (this.exclude.length > 0) parts.push(["exclude", this.exclude.join(",")]);
    const blend = this.blendable;
    if (blend && this.shortest > 0) {
      const share = this.shortest;
      parts.push(["blend", share >= 1 ? `${blend.length}:1` : `${blend.time}:${+(1 - share).toFixed(4)},${blend.length}:${+(share * blend.ratio).toPrecision(6)}`]);
    }
    if (this.depart) parts.push(["depart", this.depart]);
    if (this.alternatives > 0 && !this.depart) parts.push(["alternatives", String(this.alternatives)]);
    return parts.map(([name, value]) => `${name}=${value.replace(/[&#%+]/g, encodeURIComponent)}`).join("&");
  }

  // From the options of a link; what does not fit the graph is left out.
  read(options: string): void {
    const parts = new URLSearchParams(options), { head } = this.graph;
    const frame = head.request?.frame ?? [0, 0, 1, 1];
    const numbers = (text: string) => text.split(",").map(Number);
    const box = (x: number, y: number): [number, number] => [(x - frame[0]) / frame[2], (y - frame[1]) / frame[3]];
    this.areas = [];
    for (const text of (parts.get("avoid_circles") ?? "").split(";").slice(0, 50)) {
      const [x, y, r] = numbers(text), [bx, by] = box(x, y);
      if ([bx, by, r].every(Number.isFinite)) this.areas.push({ x: bx, y: by, r: r / this.metres / Math.abs(frame[3]) });
    }
    for (const text of (parts.get("avoid_polygons") ?? "").split(";").slice(0, 50)) {
      const flat = numbers(text), line: number[] = [];
      for (let i = 0; i + 1 < flat.length; i += 2) line.push(...box(flat[i], flat[i + 1]));
      if (line.length >= 6 && line.every(Number.isFinite)) this.areas.push({ line });
    }
    this.exclude = (parts.get("exclude") ?? "").split(",").filter((name) => head.request?.classes.includes(name));
    this.depart = head.request?.travel_times && /^\d\d:\d\d$/.test(parts.get("depart") ?? "") ? parts.get("depart")! : "";
    this.alternatives = Math.max(0, Math.min(3, Math.floor(Number(parts.get("alternatives") ?? 0)) || 0));
    const blend = this.blendable;
    if (!blend || !parts.has("blend")) { this.shortest = 0; return; }
    const shares = new Map(parts.get("blend")!.split(",").map((p) => [p.split(":")[0], Number(p.split(":")[1])]));
    const length = (shares.get(blend.length) ?? 0) / blend.ratio, time = shares.get(blend.time) ?? 0;
    this.shortest = length + time > 0 ? Math.min(1, length / (length + time)) : 0;
  }
}

// At most CORNERS points of an outline: those of evenly many steps along it.
function corners(line: number[]): [number, number][] {
  const count = line.length / 2, kept = Math.min(count, CORNERS);
  return Array.from({ length: kept }, (_, i) => {
    const at = Math.floor((i * count) / kept);
    return [line[2 * at], line[2 * at + 1]];
  });
}

export function drawAreas(canvas: HTMLCanvasElement, view: View, areas: Area[]): void {
  const context = canvas.getContext("2d")!;
  const scale = canvas.width / Math.max(1, canvas.clientWidth);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  const colour = getComputedStyle(document.documentElement).getPropertyValue("--warn").trim();
  for (const area of areas) {
    context.beginPath();
    if ("r" in area) {
      const [x, y] = toScreen(view, area.x, area.y);
      context.arc(x, y, area.r * view.k, 0, 7);
    } else {
      for (let i = 0; i < area.line.length; i += 2) {
        const [x, y] = toScreen(view, area.line[i], area.line[i + 1]);
        if (i === 0) context.moveTo(x, y); else context.lineTo(x, y);
      }
      context.closePath();
    }
    context.globalAlpha = 0.18;
    context.fillStyle = colour;
    context.fill();
    context.globalAlpha = 1;
    context.lineWidth = 1.5;
    context.setLineDash([5, 3]);
    context.strokeStyle = colour;
    context.stroke();
    context.setLineDash([]);
  }
}
