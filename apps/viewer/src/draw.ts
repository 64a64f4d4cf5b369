// Drawing: edges on one canvas, what the search did on another above it.
import { Graph } from "./graph";
import { Trace } from "./source";
import { backwardColours, forwardColours, heightColours, trafficColour } from "./colours";

// From the box of 1, y upwards, to pixels of the screen.
export interface View { x: number; y: number; k: number }

export function toScreen(view: View, x: number, y: number): [number, number] {
  return [view.x + view.k * x, view.y - view.k * y];
}
export function toBox(view: View, px: number, py: number): [number, number] {
  return [(px - view.x) / view.k, (view.y - py) / view.k];
}

function style(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export function drawEdges(canvas: HTMLCanvasElement, graph: Graph, view: View, dark: boolean): void {
  const context = canvas.getContext("2d", { alpha: false })!;
  const scale = canvas.width / Math.max(1, canvas.clientWidth || canvas.width);
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = style("--ground");
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  const { position, edge, factor, firstBend, bend } = graph;
  const width = canvas.width / scale, height = canvas.height / scale;
  const spacing = view.k / Math.sqrt(Math.max(1, graph.head.nodes));
  const thin = spacing < 3 ? 0.5 : spacing < 12 ? 0.8 : 1.2;
  const trace = (e: number) => {
    const u = edge[2 * e], v = edge[2 * e + 1];
    const ax = view.x + view.k * position[2 * u], ay = view.y - view.k * position[2 * u + 1];
    const bx = view.x + view.k * position[2 * v], by = view.y - view.k * position[2 * v + 1];
    if ((ax < -50 && bx < -50) || (ax > width + 50 && bx > width + 50)) return;
    if ((ay < -50 && by < -50) || (ay > height + 50 && by > height + 50)) return;
    context.moveTo(ax, ay);
    for (let i = firstBend[e]; i < firstBend[e + 1]; ++i) {
      context.lineTo(view.x + view.k * bend[2 * i], view.y - view.k * bend[2 * i + 1]);
    }
    context.lineTo(bx, by);
  };
  context.strokeStyle = style("--edge");
  context.lineWidth = thin;
  // Short pieces: one path of 300,000 edges takes longer than its parts.
  const changed: number[] = [];
  for (let begin = 0; begin < graph.head.edges; begin += 4000) {
    context.beginPath();
    for (let e = begin; e < Math.min(graph.head.edges, begin + 4000); ++e) {
      if (factor[e] === 1) trace(e); else changed.push(e);
    }
    context.stroke();
  }
  for (const e of changed) {
    context.beginPath();
    context.strokeStyle = trafficColour(factor[e], dark);
    context.lineWidth = Math.max(1, Math.min(factor[e] < 1 ? 2 : factor[e] < 4 ? 2.5 : 4, spacing / 3));
    trace(e);
    context.stroke();
  }
}

// Nodes as squares of pixels, straight into the image.
class Dots {
  private readonly pixels: Uint32Array;
  readonly image: ImageData;
  constructor(private readonly width: number, private readonly height: number) {
    this.image = new ImageData(width, height);
    this.pixels = new Uint32Array(this.image.data.buffer);
  }
  put(px: number, py: number, size: number, colour: number): void {
    const left = Math.max(0, Math.round(px - size / 2)), right = Math.min(this.width, Math.round(px - size / 2) + size);
    const top = Math.max(0, Math.round(py - size / 2)), bottom = Math.min(this.height, Math.round(py - size / 2) + size);
    for (let y = top; y < bottom; ++y) this.pixels.fill(colour, y * this.width + left, Math.max(y * this.width + left, y * this.width + right));
  }
}

// What is known of one pane's dots, so that going on costs the new ones only.
export interface DotState { dots: Dots; shown: number; key: string }

export function drawHeights(canvas: HTMLCanvasElement, graph: Graph, view: View, heights: Float32Array): void {
  const scale = canvas.width / Math.max(1, canvas.clientWidth);
  const dots = new Dots(canvas.width, canvas.height);
  let most = 0;
  for (const h of heights) if (h < 1e300 && h > most) most = h;
  const spacing = (view.k / Math.sqrt(Math.max(1, graph.head.nodes))) * scale;
  const size = Math.max(2, Math.min(60, Math.ceil(spacing * 1.6)));
  for (let v = 0; v < graph.head.nodes; ++v) {
    const px = (view.x + view.k * graph.position[2 * v]) * scale;
    const py = (view.y - view.k * graph.position[2 * v + 1]) * scale;
    if (px < -size || py < -size || px > canvas.width + size || py > canvas.height + size) continue;
    // Twelve bands: heights of the same bound can be seen as lines.
    const share = most > 0 ? Math.max(0, heights[v]) / most : 0;
    const band = Math.floor(share * 12) / 12;
    dots.put(px, py, size, heightColours[Math.min(255, Math.round(255 * (0.7 * band + 0.3 * share)))]);
  }
  const layer = new OffscreenCanvas(canvas.width, canvas.height);
  layer.getContext("2d")!.putImageData(dots.image, 0, 0);
  const context = canvas.getContext("2d")!;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.globalAlpha = 0.75;
  context.drawImage(layer, 0, 0);
  context.globalAlpha = 1;
}

export function drawSearch(
  canvas: HTMLCanvasElement, graph: Graph, view: View, trace: Trace | undefined, shown: number,
  state: DotState | undefined, selected = 0,
): DotState | undefined {
  const context = canvas.getContext("2d")!;
  const scale = canvas.width / Math.max(1, canvas.clientWidth);
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  if (!trace) return undefined;
  const { position } = graph;
  const key = `${view.x},${view.y},${view.k},${canvas.width},${canvas.height}`;
  const count = Math.min(shown, trace.settled.length);
  let now = state;
  if (!now || now.key !== key || now.shown > count) {
    now = { dots: new Dots(canvas.width, canvas.height), shown: 0, key };
  }
  const spacing = (view.k / Math.sqrt(Math.max(1, graph.head.nodes))) * scale;
  const size = Math.max(Math.ceil(scale), Math.min(9, Math.round(spacing * 0.7)));
  const most = Math.max(1, trace.settled.length - 1);
  for (let i = now.shown; i < count; ++i) {
    const step = trace.settled[i], v = step < 0 ? -1 - step : step;
    const colour = (step < 0 ? backwardColours : forwardColours)[Math.round((255 * i) / most)];
    now.dots.put((view.x + view.k * position[2 * v]) * scale, (view.y - view.k * position[2 * v + 1]) * scale, size, colour);
  }
  now.shown = count;
  context.putImageData(now.dots.image, 0, 0);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  const routes = trace.routes?.map((route) => route.line) ?? [trace.line];
  const drawn = routes[selected] ?? trace.line;
  if (count >= trace.settled.length && drawn.length > 0) {
    const line = (width: number, colour: string, points = drawn) => {
      context.beginPath();
      for (let i = 0; i < points.length; i += 2) {
        const [x, y] = toScreen(view, points[i], points[i + 1]);
        if (i === 0) context.moveTo(x, y); else context.lineTo(x, y);
      }
      context.lineJoin = context.lineCap = "round";
      context.lineWidth = width;
      context.strokeStyle = colour;
      context.stroke();
    };
    for (const other of routes.filter((points) => points !== drawn)) {
      line(6, style("--ground"), other);
      line(3, style("--accent"), other);
    }
    line(6, style("--ground"));
    line(3, style("--path"));
  }
  return now;
}

export function drawMarkers(
  canvas: HTMLCanvasElement, graph: Graph, view: View, from: number | null, to: number | null, cross: boolean,
): void {
  const context = canvas.getContext("2d")!;
  const scale = canvas.width / Math.max(1, canvas.clientWidth);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  const mark = (v: number | null, letter: string, square: boolean) => {
    if (v === null) return;
    const [x, y] = toScreen(view, graph.position[2 * v], graph.position[2 * v + 1]);
    context.beginPath();
    if (square) context.rect(x - 9, y - 9, 18, 18); else context.arc(x, y, 10, 0, 7);
    context.fillStyle = style("--text");
    context.strokeStyle = style("--ground");
    context.lineWidth = 2;
    context.fill();
    context.stroke();
    context.fillStyle = style("--ground");
    context.font = "bold 11px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(letter, x, y + 0.5);
  };
  mark(from, "A", false);
  mark(to, "B", true);
  if (!cross) return;
  const x = canvas.clientWidth / 2, y = canvas.clientHeight / 2;
  context.beginPath();
  context.moveTo(x - 12, y); context.lineTo(x + 12, y);
  context.moveTo(x, y - 12); context.lineTo(x, y + 12);
  context.strokeStyle = style("--accent");
  context.lineWidth = 2;
  context.stroke();
}
