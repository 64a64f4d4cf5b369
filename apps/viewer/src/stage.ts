// The map: panes that move together. Edges are drawn when it rests, everything else in each frame.
import { zoomIdentity, ZoomTransform } from "d3-zoom";
import { drawEdges, drawHeights, toBox, View } from "./draw";
import { Graph } from "./graph";
import { BaseMap, scaleBar } from "./map";
import { isDark, get } from "./page";
import { around, Pane, transformTo, viewOf } from "./pane";

export class Stage {
  panes: Pane[] = [];
  transform: ZoomTransform = zoomIdentity;
  heights: Float32Array | undefined;
  private drawn: ZoomTransform = zoomIdentity;  // as the edges on the canvas are
  private linked: { transform: ZoomTransform; view: [number, number, number] } | null = null;  // of the address
  private edgesTimer = 0;
  private frameWanted = false;
  readonly frames = { count: 0 };

  // paint(): what stands above the edges. rested(): the edges have been drawn anew.
  constructor(private readonly graph: Graph, private readonly map: BaseMap,
    private readonly paint: (pane: Pane, view: View) => void, private readonly rested: () => void) {
    new ResizeObserver(() => this.redraw()).observe(get("panes"));
  }

  show(panes: Pane[]): void {
    this.panes = panes;
    const box = get("panes");
    box.replaceChildren(...panes.map((p) => p.root));
    const tall = box.clientHeight > box.clientWidth;
    const n = panes.length;
    const columns = n <= 1 ? 1 : tall ? (n > 3 ? 2 : 1) : n <= 4 ? 2 : 3;
    box.style.gridTemplateColumns = `repeat(${columns}, 1fr)`;
    box.style.gridAutoRows = "1fr";
    this.setTransform(this.transform);
    this.redraw();
  }

  private get size(): [number, number] { return [this.panes[0].map.clientWidth, this.panes[0].map.clientHeight]; }
  get view(): View { return viewOf(this.transform, ...this.size); }

  showLinked(view: [number, number, number]): void {
    this.setTransform(transformTo(view, ...this.size));
    this.linked = { transform: this.transform, view };
  }
  // The centre and the height of what is shown; null: everything.
  linkView(): [number, number, number] | null {
    if (this.linked?.transform === this.transform) return this.linked.view;
    if (this.transform.k === 1 && this.transform.x === 0 && this.transform.y === 0) return null;
    const [width, height] = this.size;
    return [...toBox(this.view, width / 2, height / 2), Math.min(width, height) / this.view.k];
  }

  // Shows all points of these lines, given as x, y, x, y, …
  fit(lines: ArrayLike<number>[]): void {
    const low: [number, number] = [Infinity, Infinity], high: [number, number] = [-Infinity, -Infinity];
    for (const line of lines) for (let i = 0; i < line.length; ++i) {
      low[i % 2] = Math.min(low[i % 2], line[i]);
      high[i % 2] = Math.max(high[i % 2], line[i]);
    }
    if (high[0] > low[0] || high[1] > low[1]) this.setTransform(transformTo(around(low, high, ...this.size), ...this.size));
  }
  lookAt(at: [number, number]): void {
    this.setTransform(transformTo([...at, Math.min(...this.size) / Math.max(this.view.k, 9000)], ...this.size));
  }

  setTransform(transform: ZoomTransform): void {
    for (const pane of this.panes) pane.setTransform(transform);
    this.moved(transform);
  }
  zoomed(transform: ZoomTransform, from: Pane): void {
    for (const pane of this.panes) if (pane !== from) pane.setTransform(transform);
    this.moved(transform);
  }
  // While the map moves, the edges as they were are moved; they are drawn anew when it rests.
  private moved(transform: ZoomTransform): void {
    this.transform = transform;
    clearTimeout(this.edgesTimer);
    this.edgesTimer = window.setTimeout(() => this.redraw(), 140);
    this.wantFrame();
  }

  redraw(): void {
    if (this.panes.length === 0) return;
    for (const pane of this.panes) if (pane.resize()) pane.dots = undefined;
    const view = this.view, first = this.panes[0].edges;
    drawEdges(first, this.graph, view, isDark(), this.map);
    if (this.heights) drawHeights(first, this.graph, view, this.heights);
    for (const pane of this.panes.slice(1)) {
      pane.edges.getContext("2d", { alpha: false })!.drawImage(first, 0, 0, pane.edges.width, pane.edges.height);
    }
    this.drawn = this.transform;
    for (const pane of this.panes) pane.edges.style.transform = "";
    const bar = scaleBar(this.graph, view), scale = get("scale");
    scale.hidden = bar === null;
    if (bar) { scale.firstElementChild!.textContent = bar.text; (scale.firstElementChild as HTMLElement).style.width = `${bar.width}px`; }
    this.frame();  // at once: a canvas that was resized is empty
    this.rested();
  }

  wantFrame(): void {
    if (this.frameWanted) return;
    this.frameWanted = true;
    requestAnimationFrame(() => {
      this.frameWanted = false;
      this.frame();
    });
  }

  private frame(): void {
    const view = this.view;
    ++this.frames.count;
    for (const pane of this.panes) {
      if (this.drawn !== this.transform) {
        const k = this.transform.k / this.drawn.k;
        const x = this.transform.x - k * this.drawn.x, y = this.transform.y - k * this.drawn.y;
        pane.edges.style.transformOrigin = "0 0";
        pane.edges.style.transform = `translate(${x}px, ${y}px) scale(${k})`;
      }
      this.paint(pane, view);
    }
  }
}
