// What pointer and keys do on a map: drag the ends, draw an area, paint weights, move the map.
import { toBox, toScreen } from "./draw";
import { get } from "./page";
import { Pane } from "./pane";
import type { Viewer } from "./viewer";
import { Area } from "./wish";

export class Pointer {
  held: "from" | "to" | "brush" | "area" | null = null;
  area: Area | null = null;  // being drawn

  constructor(private readonly viewer: Viewer) {}

  private at(x: number, y: number): number {
    return this.viewer.graph.nearest(...toBox(this.viewer.stage.view, x, y));
  }

  press(x: number, y: number): boolean {
    if (this.viewer.brush.on) {
      this.held = "brush";
      this.viewer.brush.start();
      this.paint(x, y);
      return true;
    }
    const shape = get<HTMLSelectElement>("area").value;
    if (shape) {
      const [bx, by] = toBox(this.viewer.stage.view, x, y);
      this.held = "area";
      this.area = shape === "circle" ? { x: bx, y: by, r: 0 } : { line: [bx, by] };
      return true;
    }
    for (const which of ["to", "from"] as const) {
      const v = this.viewer[which];
      if (v === null) continue;
      const [px, py] = toScreen(this.viewer.stage.view, this.viewer.graph.position[2 * v], this.viewer.graph.position[2 * v + 1]);
      if (Math.min(Math.hypot(px - x, py - 22 - y), Math.hypot(px - x, py - 5 - y)) < 16 && !(this.viewer.mode === "reach" && which === "to")) {
        this.held = which;
        return true;
      }
    }
    return false;
  }

  private paint(x: number, y: number): void {
    this.viewer.brush.paint(x, y, this.viewer.stage.view, this.viewer.stage.panes.map((pane) => pane.top));
  }

  drag(x: number, y: number): void {
    if (this.held === "brush") this.paint(x, y);
    else if (this.held === "area") this.stretch(x, y);
    else if (this.held) this.viewer.place(this.held, this.at(x, y));
  }

  release(x: number, y: number, moved: boolean): void {
    const held = this.held;
    this.held = null;
    if (held === "brush") {
      void this.viewer.brush.send();
    } else if (held === "area") {
      if (moved && this.area) this.viewer.wish.areas.push(this.area);
      this.area = null;
      if (moved) this.viewer.wished();
    } else if (held && moved) {
      this.viewer.settleDown();
    } else if (!held && !moved) {
      this.viewer.put(this.at(x, y));
    }
  }

  private stretch(x: number, y: number): void {
    const [bx, by] = toBox(this.viewer.stage.view, x, y);
    if (this.area && "r" in this.area) this.area.r = Math.hypot(bx - this.area.x, by - this.area.y);
    else this.area?.line.push(bx, by);
    this.viewer.stage.wantFrame();
  }

  key(event: KeyboardEvent, pane: Pane): void {
    const step = 60;
    const moves: Record<string, () => void> = {
      ArrowLeft: () => pane.moveBy(step / this.viewer.stage.transform.k, 0), ArrowRight: () => pane.moveBy(-step / this.viewer.stage.transform.k, 0),
      ArrowUp: () => pane.moveBy(0, step / this.viewer.stage.transform.k), ArrowDown: () => pane.moveBy(0, -step / this.viewer.stage.transform.k),
      "+": () => pane.zoomBy(1.4), "=": () => pane.zoomBy(1.4), "-": () => pane.zoomBy(1 / 1.4), "−": () => pane.zoomBy(1 / 1.4),
      Enter: () => this.viewer.put(this.at(pane.map.clientWidth / 2, pane.map.clientHeight / 2)),
    };
    const move = moves[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move();
  }
}
