// One map: edges below, the search of one method above. All panes share one view.
import { select } from "d3-selection";
import { zoom, zoomIdentity, ZoomBehavior, ZoomTransform } from "d3-zoom";
import { DotState, View } from "./draw";

export interface PaneHooks {
  zoomed(transform: ZoomTransform, from: Pane): void;
  // A press at a point of the screen. True: it is ours, the map must not move.
  press(x: number, y: number): boolean;
  drag(x: number, y: number): void;
  release(x: number, y: number, moved: boolean): void;
  key(event: KeyboardEvent, pane: Pane): void;
  focus(): void;
}

export class Pane {
  readonly root = document.createElement("div");
  readonly map = document.createElement("div");  // below the label
  readonly edges = document.createElement("canvas");
  readonly top = document.createElement("canvas");
  readonly label = document.createElement("div");
  dots: DotState | undefined;
  private readonly behaviour: ZoomBehavior<HTMLCanvasElement, unknown>;
  private held = false;

  constructor(readonly method: string, title: string, hooks: PaneHooks) {
    this.root.className = "pane";
    this.label.className = "label";
    this.label.innerHTML = "<b></b> <span></span>";
    this.label.querySelector("b")!.textContent = title;
    this.top.className = "top";
    this.top.tabIndex = 0;
    this.top.setAttribute("role", "application");
    this.top.setAttribute("aria-label", `Map${title && " with the search of " + title}. Arrows move it, plus and minus zoom, Enter sets a marker at its centre.`);
    this.map.className = "map";
    this.map.append(this.edges, this.top);
    this.root.append(this.label, this.map);
    this.label.hidden = title === "";
    this.behaviour = zoom<HTMLCanvasElement, unknown>()
      .scaleExtent([0.2, 400])
      .clickDistance(4)
      .filter((event: MouseEvent) => !this.held && !event.button && (!event.ctrlKey || event.type === "wheel"))
      .on("zoom", (event) => hooks.zoomed(event.transform, this));
    const at = (event: PointerEvent): [number, number] => {
      const box = this.top.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    let begin: [number, number] | null = null;
    this.top.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      begin = at(event);
      this.held = hooks.press(...begin);
      if (this.held) {
        this.top.setPointerCapture(event.pointerId);
        event.stopImmediatePropagation();
      }
    }, { capture: true });
    this.top.addEventListener("pointermove", (event) => {
      if (this.held) hooks.drag(...at(event));
    });
    this.top.addEventListener("pointerup", (event) => {
      if (!begin) return;
      const end = at(event), moved = Math.hypot(end[0] - begin[0], end[1] - begin[1]) > 4;
      begin = null;
      const ours = this.held;
      this.held = false;
      if (ours || !moved) hooks.release(...end, moved);
    });
    this.top.addEventListener("keydown", (event) => hooks.key(event, this));
    this.top.addEventListener("focus", () => hooks.focus());
    this.top.addEventListener("blur", () => hooks.focus());
    select(this.top).call(this.behaviour).on("dblclick.zoom", null);
  }

  // True when the size has changed.
  resize(): boolean {
    const scale = window.devicePixelRatio || 1;
    const width = Math.max(1, Math.round(this.map.clientWidth * scale));
    const height = Math.max(1, Math.round(this.map.clientHeight * scale));
    if (this.edges.width === width && this.edges.height === height) return false;
    for (const canvas of [this.edges, this.top]) { canvas.width = width; canvas.height = height; }
    return true;
  }

  // Without calling back.
  setTransform(t: ZoomTransform): void {
    (this.top as unknown as { __zoom: ZoomTransform }).__zoom = t;
  }
  moveBy(dx: number, dy: number): void {
    this.behaviour.translateBy(select(this.top), dx, dy);
  }
  zoomBy(factor: number): void {
    this.behaviour.scaleBy(select(this.top), factor);
  }
}

// The middle and size that show a rectangle of the box, with a margin for pins and labels.
export function around(low: [number, number], high: [number, number], width: number, height: number): [number, number, number] {
  const k = Math.min((width - Math.min(120, 0.2 * width)) / Math.max(1e-9, high[0] - low[0]),
    (height - Math.min(110, 0.2 * height)) / Math.max(1e-9, high[1] - low[1]));
  return [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2 + 12 / k, Math.min(width, height) / Math.max(1, k)];
}

// The transform at rest shows the box of 1 with a margin.
export function viewOf(transform: ZoomTransform, width: number, height: number): View {
  const size = Math.min(width, height) * 0.92;
  const left = (width - size) / 2, bottom = (height + size) / 2;
  return { x: transform.applyX(left), y: transform.applyY(bottom), k: size * transform.k };
}

export function transformTo(view: [number, number, number], width: number, height: number): ZoomTransform {
  const size = Math.min(width, height) * 0.92;
  const left = (width - size) / 2, bottom = (height + size) / 2;
  const k = Math.min(400, Math.max(0.2, Math.min(width, height) / (view[2] * size)));
  return zoomIdentity.translate(width / 2 - k * (left + size * view[0]), height / 2 - k * (bottom - size * view[1])).scale(k);
}
