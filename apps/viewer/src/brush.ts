// Changes the weights of roads under a brush, for all who use the server.
import { View, toBox } from "./draw";
import { Graph } from "./graph";
import { get, showError } from "./page";
import { Source } from "./source";

export class Brush {
  private readonly painted = new Set<number>();

  // changed(): the server has other weights; repaint(): it has not.
  constructor(private readonly graph: Graph, private readonly source: Source,
    private readonly changed: () => Promise<void>, private readonly repaint: () => void) {
    get("reset").addEventListener("click", () => { this.painted.clear(); void this.send(true); });
    try { get<HTMLInputElement>("token").value = sessionStorage.getItem("token") ?? ""; } catch { /* private window */ }
  }

  get on(): boolean { return get<HTMLInputElement>("brush").checked; }

  start(): void { this.painted.clear(); }

  paint(x: number, y: number, view: View, canvases: HTMLCanvasElement[]): void {
    const width = Number(get<HTMLInputElement>("width").value);
    for (const e of this.graph.edgesNear(...toBox(view, x, y), width / view.k)) this.painted.add(e);
    get("painted").textContent = `${this.painted.size} roads`;
    for (const canvas of canvases) {
      const c = canvas.getContext("2d")!;
      c.beginPath();
      c.arc(x, y, width, 0, 7);
      c.fillStyle = "rgba(128, 128, 128, 0.15)";
      c.fill();
    }
  }

  async send(reset = false): Promise<void> {
    const factor = Number(get<HTMLSelectElement>("factor").value);
    const none = 0xffffffff;
    const updates = [...this.painted].flatMap((e) =>
      [this.graph.arc[2 * e], this.graph.arc[2 * e + 1]].filter((a) => a !== none).map((arc) => ({ arc, factor })));
    if (!reset && updates.length === 0) return;
    const token = get<HTMLInputElement>("token").value;
    try { sessionStorage.setItem("token", token); } catch { /* private window */ }
    try {
      const version = await this.source.update(reset ? "reset" : updates, token);
      if (reset) this.graph.factor.fill(1);
      else for (const e of this.painted) this.graph.factor[e] = factor;
      this.graph.head.weights_version = version;
      get("painted").textContent = `weights version ${version}`;
      await this.changed();
    } catch (problem) {
      showError((problem as Error).message);
      get("painted").textContent = "not changed";
      this.repaint();
    }
  }
}
