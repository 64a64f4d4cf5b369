// The state of the page: ends, mode and answers; asks for routes, searches and reach, and shows them.
import { makeLegend, wire } from "./controls";
import { drawMarkers, drawReach, drawRoutes, drawSearch, View } from "./draw";
import { Brush } from "./brush";
import { linkText, parseLink } from "./exports";
import { Graph } from "./graph";
import { BaseMap } from "./map";
import { Pane, PaneHooks } from "./pane";
import { get, showError } from "./page";
import { fillResults, lengthText, listRoutes, listSteps } from "./panels";
import { Player } from "./player";
import { Pointer } from "./pointer";
import { Reach } from "./reach";
import { Answer, answersOf } from "./route";
import { recording, source, Trace } from "./source";
import { Stage } from "./stage";
import { drawAreas, Wish } from "./wish";
import { showWish } from "./wish_form";

export class Viewer {
  readonly stage: Stage;
  mode = "route";
  answers: Answer[] = [];  // of the mode "route"
  private answering = false;
  private fitting = false;  // the first answer decides what is shown
  readonly reach: Reach;
  methods: string[] = [];
  readonly traces = new Map<string, Trace>();
  from: number | null = null;
  to: number | null = null;
  readonly wish: Wish;
  readonly player: Player;
  readonly brush: Brush;
  private readonly pointer = new Pointer(this);
  private selected = 0;  // of the routes of the request
  private asked = 0;  // requests so far: late responses are dropped

  constructor(readonly graph: Graph, readonly map: BaseMap, readonly profiles: string[], readonly profile: string) {
    const { head } = graph;
    if (head.request && !recording) head.methods.push({ name: "request", title: "Request", summary: "by the weights of this request" });
    const known = head.methods.map((m) => m.name);
    const link = parseLink(location.hash, head.nodes);
    // Routes and reach need coordinates to ask for.
    this.mode = recording || (head.kind !== "degrees" && head.kind !== "plane") ? "compare" : link.mode || "route";
    this.wish = new Wish(graph);
    this.stage = new Stage(graph, map, (pane, view) => this.paintPane(pane, view), () => this.writeLink());
    this.reach = new Reach(graph, source, () => this.stage.wantFrame(), showError);
    this.reach.minutes = link.minutes;
    this.player = new Player(() => this.longest(), () => this.stage.wantFrame());
    this.brush = new Brush(graph, source, () => this.reweighted(), () => this.stage.wantFrame());
    this.wish.read(link.request);
    this.methods = link.methods.filter((m) => known.includes(m)).slice(0, 7);
    if (this.methods.length === 0) {
      this.methods = known.filter((m) => recording ? recording.traces.some((t) => t.method === m) : ["dijkstra", "learned", "core"].includes(m));
    }
    this.from = link.from;
    this.to = link.to;
    if (recording && (this.from === null || this.to === null)) {
      this.from = recording.traces[0].from;
      this.to = recording.traces[0].to;
    }
    const frame = head.request?.frame;
    if (frame && link.ends.length > 0) {
      const nodes = link.ends.map(([x, y]) => graph.nearest((x - frame[0]) / frame[2], (y - frame[1]) / frame[3]));
      this.from = nodes[0];
      this.to = nodes[1] ?? null;
    }
    if (this.from === null && this.to === null && !link.mode) [this.from, this.to] = graph.example();
    get<HTMLSelectElement>("heights").value = link.heights;
    if (!this.wish.empty && known.includes("request") && !this.methods.includes("request")) this.methods.push("request");
    showWish(this.wish, this.graph, source.recorded, () => this.wished());
    this.makeRows();
    this.makePanes();
    wire(this);
    this.showMode();
    makeLegend(this);
    if (link.view) this.stage.showLinked(link.view); else { this.fitting = this.mode === "route"; this.fit(this.mode === "compare"); }
    this.say();
    void this.ask();
    void this.askHeights();
  }

  // Panes and table.

  private makeRows(): void {
    const body = document.querySelector("#results tbody")!;
    body.replaceChildren(...this.graph.head.methods.map((method) => {
      const row = document.createElement("tr");
      row.dataset.method = method.name;
      row.innerHTML = `<td><label><input type="checkbox"> <span></span></label></td><td></td><td></td><td></td><td></td>`;
      row.title = method.summary;
      row.querySelector("span")!.textContent = method.title;
      const box = row.querySelector("input")!;
      box.checked = this.methods.includes(method.name);
      if (recording && !recording.traces.some((t) => t.method === method.name)) box.disabled = true;
      box.addEventListener("change", () => this.toggle(method.name, box.checked));
      return row;
    }));
  }

  toggle(method: string, on: boolean): void {
    const order = this.graph.head.methods.map((m) => m.name);
    const wanted = new Set(this.methods);
    if (on) wanted.add(method); else wanted.delete(method);
    if (wanted.size === 0) wanted.add(method);
    this.methods = order.filter((m) => wanted.has(m));
    this.makeRows();
    this.makePanes();
    this.showResults();
    void this.ask();
  }

  private makePanes(): void {
    const hooks: PaneHooks = {
      zoomed: (transform, from) => this.stage.zoomed(transform, from),
      press: (x, y) => this.pointer.press(x, y),
      drag: (x, y) => this.pointer.drag(x, y),
      release: (x, y, moved) => this.pointer.release(x, y, moved),
      key: (event, pane) => this.pointer.key(event, pane),
      focus: () => this.stage.wantFrame(),
    };
    const titles = new Map(this.graph.head.methods.map((m) => [m.name, m.title]));
    this.stage.show(this.mode === "compare" ? this.methods.map((m) => new Pane(m, titles.get(m) ?? m, hooks)) : [new Pane("map", "", hooks)]);
  }

  // Modes.

  setMode(mode: string): void {
    if (mode === this.mode) return;
    this.mode = mode;
    // Half the way to B: neither a dot nor the whole map.
    if (mode === "reach" && this.reach.roads.length === 0 && this.answers[0]?.duration) {
      this.reach.minutes = Math.max(2, Math.round(this.answers[0].duration / 120));
    }
    this.player.stop();
    this.showMode();
    this.makePanes();
    this.say();
    void this.ask();
  }

  private showMode(): void {
    document.body.dataset.mode = this.mode;
    for (const tab of document.querySelectorAll<HTMLElement>("#modes button")) tab.setAttribute("aria-selected", String(tab.dataset.mode === this.mode));
    const { kind } = this.graph.head;
    get("modes").hidden = source.recorded || (kind !== "degrees" && kind !== "plane");
    get("minutes").hidden = false;
    get<HTMLInputElement>("minutes").value = String(this.reach.minutes);
    this.reach.say();
    this.showRoutes();
  }

  private async askRoute(): Promise<void> {
    if (this.from === null || this.to === null || this.answering) return;
    const { from, to } = this, options = this.wish.options();
    this.answering = true;
    try {
      const plain = !options.includes("depart=") && !options.includes("alternatives=") ? "&alternatives=2" : "";
      const response = await source.ask("route", `${this.placeText(from)};${this.placeText(to)}`,
        `overview=full&geometries=geojson&steps=true${plain}${options && "&" + options}`);
      this.answers = answersOf(response, this.graph);
      this.selected = 0;
      showError(null);
      if (this.fitting) this.fit(false);
      this.fitting = false;
    } catch (problem) {
      this.answers = [];
      showError((problem as Error).message);
    }
    this.answering = false;
    this.showRoutes();
    this.stage.wantFrame();
    this.writeLink();
    if (from !== this.from || to !== this.to || options !== this.wish.options()) void this.askRoute();
  }

  placeText(node: number): string {
    const { frame } = this.graph.head.request!, { position } = this.graph;
    return `${+(frame[0] + frame[2] * position[2 * node]).toFixed(7)},${+(frame[1] + frame[3] * position[2 * node + 1]).toFixed(7)}`;
  }

  // Shows both ends and the routes, or everything.
  fit(all: boolean): void {
    const { position } = this.graph, nodes = [this.from, this.to].filter((v): v is number => v !== null);
    if (all || nodes.length < 2) return this.stage.fit([position]);
    this.stage.fit([...nodes.map((v) => [position[2 * v], position[2 * v + 1]]), ...this.answers.map(({ line }) => line)]);
  }

  // What is drawn above the edges.
  private paintPane(pane: Pane, view: View): void {
    if (this.mode === "route") drawRoutes(pane.top, view, this.answers, this.selected, lengthText);
    else if (this.mode === "reach") drawReach(pane.top, view, this.reach.shapes, this.reach.roads);
    else pane.dots = drawSearch(pane.top, this.graph, view, this.traces.get(pane.method), this.player.shown, pane.dots, this.selected);
    if (this.mode !== "reach") drawAreas(pane.top, view, this.pointer.area ? [...this.wish.areas, this.pointer.area] : this.wish.areas);
    drawMarkers(pane.top, this.graph, view, this.from, this.mode === "reach" ? null : this.to, document.activeElement === pane.top && pane.top.matches(":focus-visible"));
  }

  // Requests.

  private async ask(): Promise<void> {
    const mine = ++this.asked;
    this.showEnds();
    if (this.mode === "reach") { showError(null); if (this.from !== null) void this.reach.ask(this.placeText(this.from)); return; }
    if (this.mode === "route") {
      if (this.from === null || this.to === null) { this.answers = []; this.showRoutes(); this.stage.wantFrame(); }
      return this.askRoute();
    }
    if (this.from === null || this.to === null) {
      this.traces.clear();
      this.showResults();
      this.stage.wantFrame();
      return;
    }
    const { from, to } = this;
    showError(null);
    for (const method of this.methods) {
      const known = this.traces.get(method);
      if (known && known.from === from && known.to === to) continue;
      this.traces.delete(method);
      try {
        const trace = await source.trace(from, to, method, method === "request" ? this.wish.options() : "");
        if (mine !== this.asked) return;
        this.traces.set(method, trace);
        if (method === "request") this.selected = 0;
        const pane = this.stage.panes.find((p) => p.method === method);
        if (pane) pane.dots = undefined;
      } catch (problem) {
        if (mine !== this.asked) return;
        showError((problem as Error).message);
      }
      this.showResults();
      this.player.showAll();
    }
    this.writeLink();
  }

  private longest(): number {
    return Math.max(0, ...this.methods.map((m) => this.traces.get(m)?.settled.length ?? 0));
  }

  private async reweighted(): Promise<void> {
    this.traces.clear();
    this.showResults();
    this.say();
    this.stage.redraw();
    await this.ask();
  }

  async askHeights(): Promise<void> {
    const method = get<HTMLSelectElement>("heights").value, to = this.to;
    this.stage.heights = undefined;
    if (method && to !== null) {
      try {
        const heights = await source.potential(to, method);
        if (to === this.to && method === get<HTMLSelectElement>("heights").value) this.stage.heights = heights;
      } catch (problem) {
        showError((problem as Error).message);
      }
    }
    this.stage.redraw();
  }

  place(which: "from" | "to", node: number): void {
    if (node < 0) return;
    const before = this[which];
    this[which] = node;
    if (before !== node) {
      if (this.mode !== "compare" && this.pointer.held) void this.ask();  // while it is dragged
      this.traces.clear();
      this.showResults();
      for (const pane of this.stage.panes) pane.dots = undefined;
    }
    this.stage.wantFrame();
  }

  settleDown(): void {
    void this.ask();
    if (get<HTMLSelectElement>("heights").value) void this.askHeights();
    this.say();
  }

  // The first point, then the second; a third starts a new query.
  put(node: number): void {
    if (source.recorded) {
      showError("This page contains one recorded comparison; run `lodestar serve` for other queries.");
      return;
    }
    if (this.mode === "reach") {
      this.place("from", node);
    } else if (this.from === null || this.to !== null) {
      this.to = null;
      this.place("from", node);
    } else {
      this.place("to", node);
    }
    this.settleDown();
  }

  // Weights of this request.

  wished(): void {
    this.traces.delete("request");
    this.showRoutes();
    if (this.mode !== "compare") {
      this.stage.wantFrame();
      void this.ask();
    } else if (this.methods.includes("request")) {
      this.showResults();
      this.stage.wantFrame();
      void this.ask();
    } else {
      this.toggle("request", true);
    }
    this.writeLink();
  }

  private showRoutes(): void {
    const routes = this.mode === "route" ? this.answers : this.traces.get("request")?.routes ?? [];
    listRoutes(routes, this.graph, this.selected, (i) => { this.selected = i; this.showSteps(); this.stage.wantFrame(); });
    this.showSteps();
  }

  private showSteps(): void {
    listSteps(this.mode === "route" ? this.answers[this.selected]?.steps ?? [] : [], (at) => {
      this.stage.lookAt(at);
    });
  }

  private showEnds(): void {
    for (const [id, node] of [["name-a", this.from], ["name-b", this.to]] as [string, number | null][]) {
      get(id).textContent = node === null ? "click on the map" : this.graph.streetNear(node, this.map.streets) || (this.graph.head.request && this.graph.head.kind === "degrees" ? this.placeText(node) : `node ${node}`);
    }
  }

  // Texts.

  private say(): void {
    const { head } = this.graph;
    const where = { none: "without coordinates, placed by two potentials", plane: "in the plane", degrees: "in degrees", grid: "on a grid" }[head.kind];
    get("facts").textContent = `${this.profile && this.profile + ": "}${head.nodes.toLocaleString("en")} nodes, ${head.arcs.toLocaleString("en")} arcs, ${where}; weights version ${head.weights_version}`;
    const hint = this.from === null ? "Click two points on the map." : this.to === null ? "Click the second point." : "Drag A and B, or click for a new start.";
    if (this.mode === "reach") {
      get("hint").textContent = "What can be reached in time? Drag the limit, drag A, or click.";
      return;
    }
    get("hint").textContent = source.recorded ? "This is a recorded comparison. Play it, move and zoom the map." : hint;
  }

  private showResults(): void {
    this.showRoutes();
    fillResults(this.traces, this.stage.panes, this.graph, this.wish.empty);
  }

  // Link.

  private link(): string {
    return linkText({
      from: this.from, to: this.to, methods: this.methods, heights: get<HTMLSelectElement>("heights").value,
      request: this.wish.options(), mode: this.mode, profile: this.profiles.length > 1 ? this.profile : "", minutes: this.reach.minutes, ends: [],
      view: this.stage.linkView(),
    });
  }
  writeLink(): void {
    try { history.replaceState(null, "", this.link()); } catch { /* too often, or a file: */ }
  }

}
