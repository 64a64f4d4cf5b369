// Drawing: edges on one canvas, what the search did on another above it.
import { Graph } from "./graph";
import { Trace } from "./source";
import { Answer } from "./route";
import { BaseMap, drawMap, hasClasses, style } from "./map";
import { backwardColours, forwardColours, heightColours, trafficColour } from "./colours";

// From the box of 1, y upwards, to pixels of the screen.
export interface View { x: number; y: number; k: number }

export function toScreen(view: View, x: number, y: number): [number, number] {
  return [view.x + view.k * x, view.y - view.k * y];
}
export function toBox(view: View, px: number, py: number): [number, number] {
  return [(px - view.x) / view.k, (view.y - py) / view.k];
}

export function drawEdges(canvas: HTMLCanvasElement, graph: Graph, view: View, dark: boolean, map: BaseMap): void {
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
  const changed: number[] = [];
  if (hasClasses(graph)) {
    drawMap({ context, width, height, view }, graph, map);
    for (let e = 0; e < graph.head.edges; ++e) if (factor[e] !== 1) changed.push(e);
  } else {
    plain();
  }
  context.lineCap = "butt";
  for (const e of changed) {
    context.beginPath();
    context.strokeStyle = trafficColour(factor[e], dark);
    context.lineWidth = Math.max(1, Math.min(factor[e] < 1 ? 2 : factor[e] < 4 ? 2.5 : 4, spacing / 3));
    trace(e);
    context.stroke();
  }

  // A graph without classes of roads. Short pieces: one path of 300,000 edges takes longer than its parts.
  function plain(): void {
  context.strokeStyle = style("--edge");
  context.lineWidth = thin;
  for (let begin = 0; begin < graph.head.edges; begin += 4000) {
    context.beginPath();
    for (let e = begin; e < Math.min(graph.head.edges, begin + 4000); ++e) {
      if (factor[e] === 1) trace(e); else changed.push(e);
    }
    context.stroke();
  }
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
      line(7, style("--halo"), other);
      line(4, style("--other"), other);
    }
    line(7, style("--halo"));
    line(4, style("--path"));
  }
  return now;
}

export function drawMarkers(
  canvas: HTMLCanvasElement, graph: Graph, view: View, from: number | null, to: number | null, cross: boolean,
): void {
  const context = canvas.getContext("2d")!;
  const scale = canvas.width / Math.max(1, canvas.clientWidth);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  const mark = (v: number | null, letter: string, colour: string) => {
    if (v === null) return;
    const [x, y] = toScreen(view, graph.position[2 * v], graph.position[2 * v + 1]);
    context.beginPath();  // a pin whose point is the place
    context.arc(x, y - 22, 12, 0.75 * Math.PI, 0.25 * Math.PI);
    context.lineTo(x, y);
    context.closePath();
    context.fillStyle = style(colour);
    context.strokeStyle = "#fff";
    context.lineWidth = 2;
    context.lineJoin = "round";
    context.fill();
    context.stroke();
    context.fillStyle = "#fff";
    context.font = "bold 13px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(letter, x, y - 21.5);
  };
  mark(from, "A", "--from");
  mark(to, "B", "--to");
  if (!cross) return;
  const x = canvas.clientWidth / 2, y = canvas.clientHeight / 2;
  context.beginPath();
  context.moveTo(x - 12, y); context.lineTo(x + 12, y);
  context.moveTo(x, y - 12); context.lineTo(x, y + 12);
  context.strokeStyle = style("--accent");
  context.lineWidth = 2;
  context.stroke();
}

// The routes of an answer, the selected one above the others, each with its time.
export function drawRoutes(canvas: HTMLCanvasElement, view: View, answers: Answer[], selected: number, text: (answer: Answer) => string): void {
  const context = canvas.getContext("2d")!;
  const scale = canvas.width / Math.max(1, canvas.clientWidth);
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.lineCap = context.lineJoin = "round";
  const order = answers.map((_, i) => i).sort((a, b) => Number(a === selected) - Number(b === selected));
  for (const i of order) {
    const { line } = answers[i], own = i === selected;
    for (const [width, colour] of [[own ? 9 : 7, own ? "--route-case" : "--halo"], [own ? 5.5 : 4.5, own ? "--route" : "--other"]] as [number, string][]) {
      context.beginPath();
      for (let k = 0; k < line.length; k += 2) {
        const [x, y] = toScreen(view, line[k], line[k + 1]);
        if (k === 0) context.moveTo(x, y); else context.lineTo(x, y);
      }
      context.lineWidth = width;
      context.strokeStyle = style(colour);
      context.stroke();
    }
  }
  const taken: [number, number][] = [];
  for (const i of order.reverse()) bubble(context, view, answers, i, i === selected, text(answers[i]), taken);
}

// At the point of a route that is farthest from the others.
function bubble(context: CanvasRenderingContext2D, view: View, answers: Answer[], which: number, own: boolean, text: string, taken: [number, number][]): void {
  const { line } = answers[which], others = answers.filter((_, i) => i !== which).map((a) => a.line);
  let best = 2 * Math.floor(line.length / 4), most = -1;
  for (let i = 0; others.length > 0 && i < line.length; i += 2 * Math.max(1, Math.floor(line.length / 80))) {
    let least = Infinity;
    for (const other of others) for (let k = 0; k < other.length; k += 2) least = Math.min(least, (other[k] - line[i]) ** 2 + (other[k + 1] - line[i + 1]) ** 2);
    if (least > most) { most = least; best = i; }
  }
  if (line.length < 2) return;
  const [x, y] = toScreen(view, line[best], line[best + 1]);
  if (taken.some(([tx, ty]) => Math.abs(tx - x) < 70 && Math.abs(ty - y) < 26)) return;
  taken.push([x, y]);
  context.font = `${own ? "bold " : ""}13px system-ui, sans-serif`;
  const wide = context.measureText(text).width + 16;
  context.beginPath();
  context.roundRect(x - wide / 2, y - 12, wide, 24, 12);
  context.fillStyle = style(own ? "--route" : "--panel");
  context.strokeStyle = style(own ? "--route-case" : "--other");
  context.lineWidth = 1.5;
  context.fill();
  context.stroke();
  context.fillStyle = own ? "#fff" : style("--text");
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, x, y + 0.5);
}

// What is reached within limits: shapes from the farthest to the nearest, roads above them.
export function drawReach(canvas: HTMLCanvasElement, view: View, shapes: number[][][], roads: number[][]): void {
  const context = canvas.getContext("2d")!;
  const scale = canvas.width / Math.max(1, canvas.clientWidth);
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  const path = (lines: number[][]) => {
    context.beginPath();
    for (const line of lines) for (let i = 0; i < line.length; i += 2) {
      const [x, y] = toScreen(view, line[i], line[i + 1]);
      if (i === 0) context.moveTo(x, y); else context.lineTo(x, y);
    }
  };
  context.fillStyle = context.strokeStyle = style("--reach");
  for (const rings of shapes) {
    path(rings);
    context.globalAlpha = 0.16;
    context.fill("evenodd");
    context.globalAlpha = 0.8;
    context.lineWidth = 1.5;
    context.stroke();
  }
  path(roads);
  context.globalAlpha = 0.55;
  context.lineWidth = 2;
  context.stroke();
  context.globalAlpha = 1;
}
