// What can be reached within a limit: asked again while the limit is dragged, one request at a time.
import { Graph } from "./graph";
import { Source } from "./source";

interface Feature { geometry: { type: string; coordinates: any } | null; properties: { kind: string; contour: number } }

export class Reach {
  minutes = 10;
  shapes: number[][][] = [];  // farthest first: rings in the box of 1
  roads: number[][] = [];
  collection: object | null = null;  // as the server sent it
  private busy = false;
  private wanted = "";

  constructor(private readonly graph: Graph, private readonly source: Source,
              private readonly changed: () => void, private readonly error: (message: string | null) => void) {}

  private get timed(): boolean { return this.graph.head.weight_name === "duration"; }

  say(): void {
    document.getElementById("limit")!.textContent = this.timed ? `${this.minutes} min` : this.graph.head.weight_name === "distance" ? `${this.minutes * 100} m` : `${this.limit}`;
  }

  // In the unit of the weights.
  private get limit(): number {
    if (this.timed) return this.minutes * 60;
    const mean = this.graph.head.request?.metrics[0]?.mean ?? 1;
    return this.graph.head.weight_name === "distance" ? this.minutes * 100 : Math.round(this.minutes * mean * 3);
  }

  async ask(place: string): Promise<void> {
    const limit = this.limit, wanted = `${place} ${limit}`;
    this.wanted = wanted;
    if (this.busy) return;
    this.busy = true;
    try {
      const contours = [limit / 3, (2 * limit) / 3, limit].map((c) => +c.toFixed(1)).join(",");
      this.take(await this.source.ask("isochrone", place, `contours=${contours}&show=polygons,arcs`));
      this.error(null);
    } catch (problem) {
      this.shapes = this.roads = [];
      this.error((problem as Error).message);
    }
    this.busy = false;
    this.changed();
    if (this.wanted !== wanted) void this.ask(this.wanted.split(" ")[0]);
  }

  private take(response: { features: Feature[]; nodes: number }): void {
    const frame = this.graph.head.request!.frame;
    const line = (points: [number, number][]) => points.flatMap(([x, y]) => [(x - frame[0]) / frame[2], (y - frame[1]) / frame[3]]);
    const polygons = response.features.filter((f) => f.properties.kind === "polygon" && f.geometry);
    polygons.sort((a, b) => b.properties.contour - a.properties.contour);
    this.shapes = polygons.map(({ geometry }) => (geometry!.type === "MultiPolygon" ? geometry!.coordinates.flat() : geometry!.coordinates).map(line));
    const arcs = response.features.filter((f) => f.properties.kind === "arcs" && f.geometry).sort((a, b) => b.properties.contour - a.properties.contour)[0];
    this.roads = (arcs?.geometry!.coordinates ?? []).map(line);
    this.collection = response;
    document.getElementById("reached")!.textContent = `${response.nodes.toLocaleString("en")} junctions within ${document.getElementById("limit")!.textContent}`;
  }
}
