// The viewer: queries, results, pointer and keyboard.
import { drawMarkers, drawReach, drawRoutes, drawSearch, toBox, toScreen, View } from "./draw";
import { Brush } from "./brush";
import { copyLink, download, geojson, linkText, parseLink, picture, routesGeojson } from "./exports";
import { Graph } from "./graph";
import { BaseMap, legend } from "./map";
import { Pane, PaneHooks } from "./pane";
import { Reach } from "./reach";
import { get, isDark, setTheme, showError, startTheme } from "./page";
import { fillResults, lengthText, listRoutes, listSteps } from "./panels";
import { Player } from "./player";
import { Answer, answersOf } from "./route";
import { Stage } from "./stage";
import { RecordedSource, Recording, ServerSource, Source, Trace } from "./source";
import { Area, drawAreas, Wish } from "./wish";
import { showWish, wireWish } from "./wish_form";

const recording = JSON.parse(get("recording").textContent ?? "null") as Recording | null;
const source: Source = recording ? new RecordedSource(recording) : new ServerSource();

class Viewer {
  private readonly stage: Stage;
  private mode = "route";
  private answers: Answer[] = [];  // of the mode "route"
  private answering = false;
  private fitting = false;  // the first answer decides what is shown
  private readonly reach: Reach;
  private methods: string[] = [];
  private readonly traces = new Map<string, Trace>();
  private from: number | null = null;
  private to: number | null = null;
  private held: "from" | "to" | "brush" | "area" | null = null;
  private readonly wish: Wish;
  private readonly player: Player;
  private readonly brush: Brush;
  private area: Area | null = null;  // being drawn
  private selected = 0;  // of the routes of the request
  private asked = 0;  // requests so far: late responses are dropped

  constructor(private readonly graph: Graph, private readonly map: BaseMap, private readonly profiles: string[], private readonly profile: string) {
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
    this.wire();
    this.showMode();
    this.makeLegend();
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

  private toggle(method: string, on: boolean): void {
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
      press: (x, y) => this.press(x, y),
      drag: (x, y) => this.drag(x, y),
      release: (x, y, moved) => this.release(x, y, moved),
      key: (event, pane) => this.key(event, pane),
      focus: () => this.stage.wantFrame(),
    };
    const titles = new Map(this.graph.head.methods.map((m) => [m.name, m.title]));
    this.stage.show(this.mode === "compare" ? this.methods.map((m) => new Pane(m, titles.get(m) ?? m, hooks)) : [new Pane("map", "", hooks)]);
  }

  // Modes.

  private setMode(mode: string): void {
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

  private makeLegend(): void {
    const rows = legend(this.graph, this.map), box = get("legend");
    box.hidden = rows.length === 0;
    box.replaceChildren(...rows.map(([colour, text]) => {
      const row = document.createElement("div"), swatch = document.createElement("i");
      swatch.style.background = `var(${colour})`;
      row.append(swatch, text);
      return row;
    }));
    get("credit").hidden = !(this.graph.head.kind === "degrees" && this.map.streets.length > 0);
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

  private placeText(node: number): string {
    const { frame } = this.graph.head.request!, { position } = this.graph;
    return `${+(frame[0] + frame[2] * position[2 * node]).toFixed(7)},${+(frame[1] + frame[3] * position[2 * node + 1]).toFixed(7)}`;
  }

  // Shows both ends and the routes, or everything.
  private fit(all: boolean): void {
    const { position } = this.graph, nodes = [this.from, this.to].filter((v): v is number => v !== null);
    if (all || nodes.length < 2) return this.stage.fit([position]);
    this.stage.fit([...nodes.map((v) => [position[2 * v], position[2 * v + 1]]), ...this.answers.map(({ line }) => line)]);
  }

  // What is drawn above the edges.
  private paintPane(pane: Pane, view: View): void {
    if (this.mode === "route") drawRoutes(pane.top, view, this.answers, this.selected, lengthText);
    else if (this.mode === "reach") drawReach(pane.top, view, this.reach.shapes, this.reach.roads);
    else pane.dots = drawSearch(pane.top, this.graph, view, this.traces.get(pane.method), this.player.shown, pane.dots, this.selected);
    if (this.mode !== "reach") drawAreas(pane.top, view, this.area ? [...this.wish.areas, this.area] : this.wish.areas);
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

  private async askHeights(): Promise<void> {
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

  private place(which: "from" | "to", node: number): void {
    if (node < 0) return;
    const before = this[which];
    this[which] = node;
    if (before !== node) {
      if (this.mode !== "compare" && this.held) void this.ask();  // while it is dragged
      this.traces.clear();
      this.showResults();
      for (const pane of this.stage.panes) pane.dots = undefined;
    }
    this.stage.wantFrame();
  }

  private settleDown(): void {
    void this.ask();
    if (get<HTMLSelectElement>("heights").value) void this.askHeights();
    this.say();
  }

  // Pointer.

  private at(x: number, y: number): number {
    return this.graph.nearest(...toBox(this.stage.view, x, y));
  }

  private press(x: number, y: number): boolean {
    if (this.brush.on) {
      this.held = "brush";
      this.brush.start();
      this.paint(x, y);
      return true;
    }
    const shape = get<HTMLSelectElement>("area").value;
    if (shape) {
      const [bx, by] = toBox(this.stage.view, x, y);
      this.held = "area";
      this.area = shape === "circle" ? { x: bx, y: by, r: 0 } : { line: [bx, by] };
      return true;
    }
    for (const which of ["to", "from"] as const) {
      const v = this[which];
      if (v === null) continue;
      const [px, py] = toScreen(this.stage.view, this.graph.position[2 * v], this.graph.position[2 * v + 1]);
      if (Math.min(Math.hypot(px - x, py - 22 - y), Math.hypot(px - x, py - 5 - y)) < 16 && !(this.mode === "reach" && which === "to")) {
        this.held = which;
        return true;
      }
    }
    return false;
  }

  private paint(x: number, y: number): void {
    this.brush.paint(x, y, this.stage.view, this.stage.panes.map((pane) => pane.top));
  }

  private drag(x: number, y: number): void {
    if (this.held === "brush") this.paint(x, y);
    else if (this.held === "area") this.stretch(x, y);
    else if (this.held) this.place(this.held, this.at(x, y));
  }

  private release(x: number, y: number, moved: boolean): void {
    const held = this.held;
    this.held = null;
    if (held === "brush") {
      void this.brush.send();
    } else if (held === "area") {
      if (moved && this.area) this.wish.areas.push(this.area);
      this.area = null;
      if (moved) this.wished();
    } else if (held && moved) {
      this.settleDown();
    } else if (!held && !moved) {
      this.put(this.at(x, y));
    }
  }

  // The first point, then the second; a third starts a new query.
  private put(node: number): void {
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

  private stretch(x: number, y: number): void {
    const [bx, by] = toBox(this.stage.view, x, y);
    if (this.area && "r" in this.area) this.area.r = Math.hypot(bx - this.area.x, by - this.area.y);
    else this.area?.line.push(bx, by);
    this.stage.wantFrame();
  }

  private wished(): void {
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
  private writeLink(): void {
    try { history.replaceState(null, "", this.link()); } catch { /* too often, or a file: */ }
  }

  private key(event: KeyboardEvent, pane: Pane): void {
    const step = 60;
    const moves: Record<string, () => void> = {
      ArrowLeft: () => pane.moveBy(step / this.stage.transform.k, 0), ArrowRight: () => pane.moveBy(-step / this.stage.transform.k, 0),
      ArrowUp: () => pane.moveBy(0, step / this.stage.transform.k), ArrowDown: () => pane.moveBy(0, -step / this.stage.transform.k),
      "+": () => pane.zoomBy(1.4), "=": () => pane.zoomBy(1.4), "-": () => pane.zoomBy(1 / 1.4), "−": () => pane.zoomBy(1 / 1.4),
      Enter: () => this.put(this.at(pane.map.clientWidth / 2, pane.map.clientHeight / 2)),
    };
    const move = moves[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move();
  }

  // Another graph has other nodes: the places are kept, and the page starts again.
  private switchTo(profile: string): void {
    if (profile === this.profile) return;
    const ends = [this.from, this.to].filter((v): v is number => v !== null).map((v) => this.placeText(v).split(",").map(Number) as [number, number]);
    history.replaceState(null, "", linkText({
      from: null, to: null, methods: this.methods, heights: "", request: this.wish.options(), view: null,
      mode: this.mode, profile, minutes: this.reach.minutes, ends,
    }));
    location.reload();
  }

  private saveGeojson(): void {
    const save = (text: string) => download("lodestar.geojson", new Blob([text], { type: "application/geo+json" }));
    if (this.mode === "reach" && this.reach.collection) return save(JSON.stringify(this.reach.collection));
    if (this.mode === "route" && this.answers.length > 0) return save(routesGeojson(this.answers, this.graph));
    const traces = this.methods.map((m) => this.traces.get(m)).filter((t): t is Trace => t !== undefined);
    if (traces.length === 0) showError("There is no route to export yet.");
    else if (this.graph.head.kind === "none") showError("This graph has no coordinates, so its routes have no GeoJSON.");
    else save(geojson(traces));
  }

  private async savePosthoc(): Promise<void> {
    if (this.from === null || this.to === null) { showError("There is no search to export yet."); return; }
    try {
      const method = this.methods.find((m) => m !== "request") ?? "dijkstra";
      download(`${method}.trace.json`, new Blob([await source.posthoc(this.from, this.to, method)], { type: "application/json" }));
    } catch (problem) { showError((problem as Error).message); }
  }

  private random(): void {
    if (source.recorded) return;
    const n = this.graph.head.nodes;
    this.place("from", Math.floor(Math.random() * n));
    this.place("to", Math.floor(Math.random() * n));
    this.settleDown();
  }

  private wire(): void {
    get("heights").addEventListener("change", () => void this.askHeights());
    get("random").addEventListener("click", () => this.random());
    get("fit").addEventListener("click", () => this.fit(true));
    get("in").addEventListener("click", () => this.stage.panes[0].zoomBy(1.6));
    get("out").addEventListener("click", () => this.stage.panes[0].zoomBy(1 / 1.6));
    get("swap").addEventListener("click", () => {
      [this.from, this.to] = [this.to, this.from];
      this.traces.clear();
      this.settleDown();
      this.stage.wantFrame();
    });
    get("minutes").addEventListener("input", () => {
      this.reach.minutes = Number(get<HTMLInputElement>("minutes").value);
      this.reach.say();
      if (this.from !== null) void this.reach.ask(this.placeText(this.from));
    });
    get("minutes").addEventListener("change", () => this.writeLink());
    for (const tab of document.querySelectorAll<HTMLElement>("#modes button")) tab.addEventListener("click", () => this.setMode(tab.dataset.mode!));
    get("profiles").hidden = this.profiles.length < 2;
    get("profiles").replaceChildren(...(this.profiles.length > 1 ? this.profiles : []).map((name) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = name;
      button.setAttribute("role", "radio");
      button.setAttribute("aria-checked", String(name === this.profile));
      button.addEventListener("click", () => this.switchTo(name));
      return button;
    }));
    wireWish(this.wish, () => this.wished());
    get("theme").addEventListener("click", () => { setTheme(isDark() ? "light" : "dark"); this.stage.redraw(); });
    get("png").addEventListener("click", async () => download("lodestar.png", await picture(this.stage.panes, get("panes"))));
    get("geojson").addEventListener("click", () => this.saveGeojson());
    get("posthoc").addEventListener("click", () => void this.savePosthoc());
    get("link").addEventListener("click", () => { this.writeLink(); void copyLink(get("link")); });
    window.addEventListener("hashchange", () => {
      const link = parseLink(location.hash, this.graph.head.nodes);
      this.from = link.from;
      this.to = link.to;
      this.traces.clear();
      this.wish.read(link.request);
      showWish(this.wish, this.graph, source.recorded, () => this.wished());
      if (link.mode && !get("modes").hidden) this.setMode(link.mode);
      if (link.view) this.stage.showLinked(link.view);
      this.settleDown();
    });
    document.addEventListener("keydown", (event) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|BUTTON|TEXTAREA|SUMMARY)$/.test(target.tagName)) return;
      const method = this.graph.head.methods[Number(event.key) - 1];
      if (this.mode !== "compare") return;
      if (event.key === " ") { event.preventDefault(); this.player.play(); }
      else if (event.key === "[" || event.key === "]") {
        this.player.step(event.key === "[" ? -1 : 1);
      } else if (event.key === "r" || event.key === "R") this.random();
      else if (method && !(recording && !recording.traces.some((t) => t.method === method.name))) {
        this.toggle(method.name, !this.methods.includes(method.name));
      }
    });
    if (source.recorded) {
      get("traffic").hidden = true;
      get("posthoc").hidden = true;
      get("random").hidden = true;
      for (const option of get<HTMLSelectElement>("heights").options) {
        if (option.value && !recording!.potentials[option.value]) option.disabled = true;
      }
    }
  }
}

startTheme();

async function start(): Promise<void> {
  try {
    const profiles = await source.profiles();
    const asked = parseLink(location.hash, 0).profile;
    const profile = profiles.includes(asked) ? asked : profiles[0];
    source.use(profile);
    const [graph, map] = await Promise.all([source.graph(), source.map()]);
    (window as unknown as { viewer: Viewer }).viewer = new Viewer(graph, map, profiles, profile);
  } catch (problem) {
    showError((problem as Error).message);
    get("facts").textContent = "no graph";
  }
}
void start();
