// The viewer: queries, results, pointer and keyboard.
import { zoomIdentity, ZoomTransform } from "d3-zoom";
import { drawEdges, drawHeights, drawMarkers, drawReach, drawRoutes, drawSearch, toBox, toScreen, View } from "./draw";
import { download, geojson, linkText, parseLink, picture, routesGeojson } from "./exports";
import { Graph } from "./graph";
import { BaseMap, legend, scaleBar } from "./map";
import { around, Pane, PaneHooks, transformTo, viewOf } from "./pane";
import { Reach } from "./reach";
import { Answer, answersOf, distance, duration } from "./route";
import { RecordedSource, Recording, ServerSource, Source, Trace } from "./source";
import { Area, drawAreas, Wish } from "./wish";

function get<T extends HTMLElement>(id: string): T { return document.getElementById(id) as T; }

const recording = JSON.parse(get("recording").textContent ?? "null") as Recording | null;
const source: Source = recording ? new RecordedSource(recording) : new ServerSource();

class Viewer {
  private panes: Pane[] = [];
  private mode = "route";
  private answers: Answer[] = [];  // of the mode "route"
  private answering = false;
  private linked: { transform: ZoomTransform; view: [number, number, number] } | null = null;  // of the address
  private fitting = false;  // the first answer decides what is shown
  private readonly reach: Reach;
  private methods: string[] = [];
  private readonly traces = new Map<string, Trace>();
  private from: number | null = null;
  private to: number | null = null;
  private transform: ZoomTransform = zoomIdentity;
  private drawn: ZoomTransform = zoomIdentity;  // as the edges on the canvas are
  private heights: Float32Array | undefined;
  private shown = 0;
  private playing = false;
  private held: "from" | "to" | "brush" | "area" | null = null;
  private readonly wish: Wish;
  private area: Area | null = null;  // being drawn
  private selected = 0;  // of the routes of the request
  private readonly painted = new Set<number>();
  private asked = 0;  // requests so far: late responses are dropped
  private edgesTimer = 0;
  private frameWanted = false;
  readonly frames = { count: 0, since: performance.now() };

  constructor(private readonly graph: Graph, private readonly map: BaseMap, private readonly profiles: string[], private readonly profile: string) {
    const { head } = graph;
    if (head.request && !recording) head.methods.push({ name: "request", title: "Request", summary: "by the weights of this request" });
    const known = head.methods.map((m) => m.name);
    const link = parseLink(location.hash, head.nodes);
    // Routes and reach need coordinates to ask for.
    this.mode = recording || (head.kind !== "degrees" && head.kind !== "plane") ? "compare" : link.mode || "route";
    this.wish = new Wish(graph);
    this.reach = new Reach(graph, source, () => this.wantFrame(), (message) => this.error(message));
    this.reach.minutes = link.minutes;
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
    this.makeWish();
    this.makeRows();
    this.makePanes();
    this.wire();
    this.showMode();
    this.makeLegend();
    if (link.view) this.showLinked(link.view); else { this.fitting = this.mode === "route"; this.fit(this.mode === "compare"); }
    this.say();
    void this.ask();
    void this.askHeights();
    new ResizeObserver(() => this.redraw()).observe(get("panes"));
  }

  private get dark(): boolean { return document.documentElement.dataset.theme === "dark"; }
  private get view(): View { return this.viewFor(this.transform); }
  private viewFor(transform: ZoomTransform): View {
    const { clientWidth, clientHeight } = this.panes[0].map;
    return viewOf(transform, clientWidth, clientHeight);
  }
  private showLinked(view: [number, number, number]): void {
    this.setTransform(this.linkTransform(view));
    this.linked = { transform: this.transform, view };
  }
  private linkTransform(view: [number, number, number]): ZoomTransform {
    const { clientWidth, clientHeight } = this.panes[0].map;
    return transformTo(view, clientWidth, clientHeight);
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
      zoomed: (transform, from) => this.zoomed(transform, from),
      press: (x, y) => this.press(x, y),
      drag: (x, y) => this.drag(x, y),
      release: (x, y, moved) => this.release(x, y, moved),
      key: (event, pane) => this.key(event, pane),
      focus: () => this.wantFrame(),
    };
    const titles = new Map(this.graph.head.methods.map((m) => [m.name, m.title]));
    this.panes = this.mode === "compare" ? this.methods.map((m) => new Pane(m, titles.get(m) ?? m, hooks)) : [new Pane("map", "", hooks)];
    const box = get("panes");
    box.replaceChildren(...this.panes.map((p) => p.root));
    const tall = box.clientHeight > box.clientWidth;
    const n = this.panes.length;
    const columns = n <= 1 ? 1 : tall ? (n > 3 ? 2 : 1) : n <= 2 ? 2 : n <= 4 ? 2 : 3;
    box.style.gridTemplateColumns = `repeat(${columns}, 1fr)`;
    box.style.gridAutoRows = "1fr";
    this.setTransform(this.transform);
    this.redraw();
  }

  // Modes.

  private setMode(mode: string): void {
    if (mode === this.mode) return;
    this.mode = mode;
    // Half the way to B: neither a dot nor the whole map.
    if (mode === "reach" && this.reach.roads.length === 0 && this.answers[0]?.duration) {
      this.reach.minutes = Math.max(2, Math.round(this.answers[0].duration / 120));
    }
    this.stop();
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
      this.error(null);
      if (this.fitting) this.fit(false);
      this.fitting = false;
    } catch (problem) {
      this.answers = [];
      this.error((problem as Error).message);
    }
    this.answering = false;
    this.showRoutes();
    this.wantFrame();
    this.writeLink();
    if (from !== this.from || to !== this.to || options !== this.wish.options()) void this.askRoute();
  }

  private placeText(node: number): string {
    const { frame } = this.graph.head.request!, { position } = this.graph;
    return `${+(frame[0] + frame[2] * position[2 * node]).toFixed(7)},${+(frame[1] + frame[3] * position[2 * node + 1]).toFixed(7)}`;
  }

  // Shows both ends, or everything.
  private fit(all: boolean): void {
    const { position } = this.graph, nodes = [this.from, this.to].filter((v): v is number => v !== null);
    const low: [number, number] = [Infinity, Infinity], high: [number, number] = [-Infinity, -Infinity];
    const count = all || nodes.length < 2 ? this.graph.head.nodes : nodes.length;
    for (let i = 0; i < count; ++i) {
      const v = count === this.graph.head.nodes ? i : nodes[i];
      for (let k = 0; k < 2; ++k) {
        low[k] = Math.min(low[k], position[2 * v + k]);
        high[k] = Math.max(high[k], position[2 * v + k]);
      }
    }
    if (!all) for (const { line } of this.answers) for (let i = 0; i < line.length; ++i) {
      low[i % 2] = Math.min(low[i % 2], line[i]);
      high[i % 2] = Math.max(high[i % 2], line[i]);
    }
    const { clientWidth, clientHeight } = this.panes[0].map;
    if (high[0] > low[0] || high[1] > low[1]) this.setTransform(transformTo(around(low, high, clientWidth, clientHeight), clientWidth, clientHeight));
  }

  // View.

  private setTransform(transform: ZoomTransform): void {
    this.transform = transform;
    for (const pane of this.panes) pane.setTransform(transform);
    this.redrawEdgesSoon();
    this.wantFrame();
  }
  private zoomed(transform: ZoomTransform, from: Pane): void {
    this.transform = transform;
    for (const pane of this.panes) if (pane !== from) pane.setTransform(transform);
    this.redrawEdgesSoon();
    this.wantFrame();
  }

  // While the map moves, the edges as they were are moved; they are drawn anew when it rests.
  private redrawEdgesSoon(): void {
    clearTimeout(this.edgesTimer);
    this.edgesTimer = window.setTimeout(() => this.redraw(), 140);
  }

  redraw(): void {
    if (this.panes.length === 0) return;
    for (const pane of this.panes) if (pane.resize()) pane.dots = undefined;
    const view = this.view, first = this.panes[0].edges;
    drawEdges(first, this.graph, view, this.dark, this.map);
    if (this.heights) drawHeights(first, this.graph, view, this.heights);
    for (const pane of this.panes.slice(1)) {
      pane.edges.getContext("2d", { alpha: false })!.drawImage(first, 0, 0, pane.edges.width, pane.edges.height);
    }
    this.drawn = this.transform;
    for (const pane of this.panes) pane.edges.style.transform = "";
    const bar = scaleBar(this.graph, view), scale = get("scale");
    scale.hidden = bar === null;
    if (bar) { scale.firstElementChild!.textContent = bar.text; (scale.firstElementChild as HTMLElement).style.width = `${bar.width}px`; }
    this.wantFrame();
    this.writeLink();
  }

  private wantFrame(): void {
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
      if (this.mode === "route") drawRoutes(pane.top, view, this.answers, this.selected, (answer) => this.lengthText(answer));
      else if (this.mode === "reach") drawReach(pane.top, view, this.reach.shapes, this.reach.roads);
      else pane.dots = drawSearch(pane.top, this.graph, view, this.traces.get(pane.method), this.shown, pane.dots, this.selected);
      if (this.mode !== "reach") drawAreas(pane.top, view, this.area ? [...this.wish.areas, this.area] : this.wish.areas);
      drawMarkers(pane.top, this.graph, view, this.from, this.mode === "reach" ? null : this.to, document.activeElement === pane.top && pane.top.matches(":focus-visible"));
    }
  }

  // Requests.

  private async ask(): Promise<void> {
    const mine = ++this.asked;
    this.showEnds();
    if (this.mode === "reach") { this.error(null); if (this.from !== null) void this.reach.ask(this.placeText(this.from)); return; }
    if (this.mode === "route") {
      if (this.from === null || this.to === null) { this.answers = []; this.showRoutes(); this.wantFrame(); }
      return this.askRoute();
    }
    if (this.from === null || this.to === null) {
      this.traces.clear();
      this.showResults();
      this.wantFrame();
      return;
    }
    const { from, to } = this;
    this.error(null);
    for (const method of this.methods) {
      const known = this.traces.get(method);
      if (known && known.from === from && known.to === to) continue;
      this.traces.delete(method);
      try {
        const trace = await source.trace(from, to, method, method === "request" ? this.wish.options() : "");
        if (mine !== this.asked) return;
        this.traces.set(method, trace);
        if (method === "request") this.selected = 0;
        const pane = this.panes.find((p) => p.method === method);
        if (pane) pane.dots = undefined;
      } catch (problem) {
        if (mine !== this.asked) return;
        this.error((problem as Error).message);
      }
      this.showResults();
      this.stop();
      this.setShown(this.longest());
    }
    this.writeLink();
  }

  private async askHeights(): Promise<void> {
    const method = get<HTMLSelectElement>("heights").value, to = this.to;
    this.heights = undefined;
    if (method && to !== null) {
      try {
        const heights = await source.potential(to, method);
        if (to === this.to && method === get<HTMLSelectElement>("heights").value) this.heights = heights;
      } catch (problem) {
        this.error((problem as Error).message);
      }
    }
    this.redraw();
  }

  private place(which: "from" | "to", node: number): void {
    if (node < 0) return;
    const before = this[which];
    this[which] = node;
    if (before !== node) {
      if (this.mode !== "compare" && this.held) void this.ask();  // while it is dragged
      this.traces.clear();
      this.showResults();
      for (const pane of this.panes) pane.dots = undefined;
    }
    this.wantFrame();
  }

  private settleDown(): void {
    void this.ask();
    if (get<HTMLSelectElement>("heights").value) void this.askHeights();
    this.say();
  }

  // Pointer.

  private at(x: number, y: number): number {
    return this.graph.nearest(...toBox(this.view, x, y));
  }

  private press(x: number, y: number): boolean {
    if (get<HTMLInputElement>("brush").checked) {
      this.held = "brush";
      this.painted.clear();
      this.paint(x, y);
      return true;
    }
    const shape = get<HTMLSelectElement>("area").value;
    if (shape) {
      const [bx, by] = toBox(this.view, x, y);
      this.held = "area";
      this.area = shape === "circle" ? { x: bx, y: by, r: 0 } : { line: [bx, by] };
      return true;
    }
    for (const which of ["to", "from"] as const) {
      const v = this[which];
      if (v === null) continue;
      const [px, py] = toScreen(this.view, this.graph.position[2 * v], this.graph.position[2 * v + 1]);
      if (Math.min(Math.hypot(px - x, py - 22 - y), Math.hypot(px - x, py - 5 - y)) < 16 && !(this.mode === "reach" && which === "to")) {
        this.held = which;
        return true;
      }
    }
    return false;
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
      void this.sendPaint();
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
      this.error("This page contains one recorded comparison; run `lodestar serve` for other queries.");
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
    const [bx, by] = toBox(this.view, x, y);
    if (this.area && "r" in this.area) this.area.r = Math.hypot(bx - this.area.x, by - this.area.y);
    else this.area?.line.push(bx, by);
    this.wantFrame();
  }

  // Controls for what this graph and this server have.
  private makeWish(): void {
    const facts = this.graph.head.request;
    get("request").hidden = !facts || source.recorded;
    if (!facts) return;
    const { wish } = this;
    for (const option of get<HTMLSelectElement>("area").options) option.disabled = option.value !== "" && this.graph.head.kind === "none";
    get("leave").hidden = !facts.travel_times;
    get("blend").hidden = wish.blendable === null;
    // Those that people avoid first, where an import knows dozens.
    const usual = ["motorway", "toll", "ferry", "tunnel", "unpaved", "restricted"].filter((name) => facts.classes.includes(name));
    const shown = usual.length > 0 ? usual : facts.classes.slice(0, 6);
    for (const name of wish.exclude) if (!shown.includes(name)) shown.push(name);
    get("classes").hidden = shown.length === 0;
    get("classes").replaceChildren("Avoid", ...shown.map((name) => {
      const label = document.createElement("label"), box = document.createElement("input");
      box.type = "checkbox";
      box.checked = wish.exclude.includes(name);
      box.addEventListener("change", () => {
        wish.exclude = wish.exclude.filter((other) => other !== name);
        if (box.checked) wish.exclude.push(name);
        this.wished();
      });
      label.append(box, ` ${name}`);
      return label;
    }));
    get<HTMLInputElement>("shortest").value = String(Math.round(100 * wish.shortest));
    get<HTMLInputElement>("depart").value = wish.depart;
    get<HTMLSelectElement>("alternatives").value = String(wish.alternatives);
  }

  private wished(): void {
    this.traces.delete("request");
    this.showRoutes();
    if (this.mode !== "compare") {
      this.wantFrame();
      void this.ask();
    } else if (this.methods.includes("request")) {
      this.showResults();
      this.wantFrame();
      void this.ask();
    } else {
      this.toggle("request", true);
    }
    this.writeLink();
  }

  // "12 min", or the cost where there is no time.
  private lengthText(answer: { duration: number | null; weight?: number; cost?: number | null }): string {
    if (answer.duration !== null) return duration(answer.duration);
    return `cost ${(answer.weight ?? answer.cost ?? 0).toLocaleString("en", { maximumFractionDigits: 1 })}`;
  }

  private showRoutes(): void {
    const routing = this.mode === "route";
    const routes = routing ? this.answers : this.traces.get("request")?.routes ?? [];
    const metric = this.graph.head.kind === "degrees" || this.graph.head.request?.metrics.some((m) => m.unit === "m");
    get("routes").replaceChildren(...routes.map((route, i) => {
      const label = document.createElement("label"), button = document.createElement("input");
      const time = document.createElement("b"), far = document.createElement("span"), via = document.createElement("small");
      button.type = "radio";
      button.name = "route";
      button.checked = i === this.selected;
      button.addEventListener("change", () => { this.selected = i; this.showSteps(); this.wantFrame(); });
      time.textContent = this.lengthText(route);
      far.textContent = route.distance === null ? "" : metric ? distance(route.distance) : route.distance.toLocaleString("en", { maximumFractionDigits: 1 });
      if ("summary" in route) {
        via.textContent = (i === 0 && route.optimal ? "✓ best" : "") + (route.summary ? `${i === 0 && route.optimal ? " · " : ""}via ${route.summary}` : "");
        via.title = i === 0 && route.optimal ? "Proven optimal for the current weights" : "";
      }
      label.append(button, time, far, via);
      return label;
    }));
    this.showSteps();
  }

  private showSteps(): void {
    get("steps").replaceChildren(...(this.mode === "route" ? this.answers[this.selected]?.steps ?? [] : []).map((step) => {
      const item = document.createElement("li"), button = document.createElement("button");
      button.type = "button";
      for (const [tag, text] of [["i", step.icon], ["span", step.text], ["small", step.distance > 0 ? distance(step.distance) : ""]]) {
        button.append(Object.assign(document.createElement(tag), { textContent: text }));
      }
      button.addEventListener("click", () => {
        const { clientWidth, clientHeight } = this.panes[0].map;
        this.setTransform(transformTo([...step.at, Math.min(clientWidth, clientHeight) / Math.max(this.view.k, 9000)], clientWidth, clientHeight));
      });
      item.append(button);
      return item;
    }));
  }

  private showEnds(): void {
    for (const [id, node] of [["name-a", this.from], ["name-b", this.to]] as [string, number | null][]) {
      get(id).textContent = node === null ? "click on the map" : this.graph.streetNear(node, this.map.streets) || (this.graph.head.request && this.graph.head.kind === "degrees" ? this.placeText(node) : `node ${node}`);
    }
  }

  // Traffic.

  private paint(x: number, y: number): void {
    const radius = Number(get<HTMLInputElement>("width").value) / this.view.k;
    for (const e of this.graph.edgesNear(...toBox(this.view, x, y), radius)) this.painted.add(e);
    get("painted").textContent = `${this.painted.size} roads`;
    for (const pane of this.panes) {
      const c = pane.top.getContext("2d")!;
      c.beginPath();
      c.arc(x, y, Number(get<HTMLInputElement>("width").value), 0, 7);
      c.fillStyle = "rgba(128, 128, 128, 0.15)";
      c.fill();
    }
  }

  private async sendPaint(reset = false): Promise<void> {
    const factor = Number(get<HTMLSelectElement>("factor").value);
    const none = 0xffffffff;
    const updates = [...this.painted].flatMap((e) =>
      [this.graph.arc[2 * e], this.graph.arc[2 * e + 1]].filter((a) => a !== none).map((arc) => ({ arc, factor })));
    if (!reset && updates.length === 0) return;
    const token = get<HTMLInputElement>("token").value;
    try { sessionStorage.setItem("token", token); } catch { /* private window */ }
    try {
      const version = await source.update(reset ? "reset" : updates, token);
      if (reset) this.graph.factor.fill(1);
      else for (const e of this.painted) this.graph.factor[e] = factor;
      this.graph.head.weights_version = version;
      this.traces.clear();
      this.showResults();
      get("painted").textContent = `weights version ${version}`;
      this.say();
      this.redraw();
      await this.ask();
    } catch (problem) {
      this.error((problem as Error).message);
      get("painted").textContent = "not changed";
      this.wantFrame();
    }
  }

  // Steps.

  private longest(): number {
    return Math.max(0, ...this.methods.map((m) => this.traces.get(m)?.settled.length ?? 0));
  }

  private setShown(count: number): void {
    this.shown = count;
    const slider = get<HTMLInputElement>("slider");
    slider.max = String(this.longest());
    slider.value = String(count);
    get("shown").textContent = this.longest() > 0 ? `${Math.round(count).toLocaleString("en")} of ${this.longest().toLocaleString("en")} expansions` : "–";
    this.wantFrame();
  }

  private stop(): void {
    this.playing = false;
    get("play").setAttribute("aria-pressed", "false");
    get("play").textContent = "Play";
  }

  private play(): void {
    if (this.playing) { this.stop(); return; }
    if (this.longest() === 0) return;
    this.playing = true;
    get("play").setAttribute("aria-pressed", "true");
    get("play").textContent = "Pause";
    if (this.shown >= this.longest()) this.setShown(0);
    let last = performance.now(), exact = this.shown;
    const step = (now: number) => {
      if (!this.playing) return;
      const speed = Number(get<HTMLSelectElement>("speed").value);
      exact += ((now - last) / 1000) * speed * Math.max(20, this.longest() / 6);  // six seconds for all
      last = now;
      this.setShown(Math.min(this.longest(), Math.floor(exact)));
      if (this.shown >= this.longest()) this.stop(); else requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
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
    const dijkstra = this.traces.get("dijkstra");
    for (const row of document.querySelectorAll<HTMLTableRowElement>("#results tbody tr")) {
      const trace = this.traces.get(row.dataset.method!);
      const cells = row.querySelectorAll("td");
      const pane = this.panes.find((p) => p.method === row.dataset.method);
      const set = (i: number, text: string) => { cells[i].textContent = text; };
      cells[4].className = "";
      if (!trace) {
        for (let i = 1; i < 5; ++i) set(i, "");
        if (pane) pane.label.querySelector("span")!.textContent = "";
        continue;
      }
      set(1, trace.expansions.toLocaleString("en"));
      set(2, trace.seconds < 1e-3 ? `${(trace.seconds * 1e6).toFixed(0)} µs` : `${(trace.seconds * 1e3).toFixed(1)} ms`);
      set(3, trace.cost === null ? "no path" : this.graph.costText(trace.cost, trace.weight_name));
      set(4, trace.optimal ? "✓ optimal" : trace.gap === null ? "unknown" : `≤ +${(100 * trace.gap).toFixed(1)} %`);
      if (!trace.optimal) cells[4].className = "bad";
      cells[4].title = trace.lower_bound === null ? "" : `No path costs less than ${this.graph.costText(trace.lower_bound)} (weights version ${trace.weights_version}).`;
      const same = trace.method !== "request" || this.wish.empty;  // the same question
      const share = dijkstra && same && trace.method !== "dijkstra" ? `, ${(dijkstra.expansions / Math.max(1, trace.expansions)).toFixed(1)} × fewer` : "";
      if (pane) pane.label.querySelector("span")!.textContent = `${trace.expansions.toLocaleString("en")} expanded${share}`;
    }
  }

  private error(message: string | null): void {
    const box = get("error");
    box.hidden = message === null;
    box.textContent = message ?? "";
  }

  // Link.

  private link(): string {
    const { clientWidth, clientHeight } = this.panes[0].map;
    const [x, y] = toBox(this.view, clientWidth / 2, clientHeight / 2);
    return linkText({
      from: this.from, to: this.to, methods: this.methods, heights: get<HTMLSelectElement>("heights").value,
      request: this.wish.options(), mode: this.mode, profile: this.profiles.length > 1 ? this.profile : "", minutes: this.reach.minutes, ends: [],
      view: this.linked?.transform === this.transform ? this.linked.view : this.transform.k === 1 && this.transform.x === 0 && this.transform.y === 0 ? null : [x, y, Math.min(clientWidth, clientHeight) / this.view.k],
    });
  }
  private writeLink(): void {
    try { history.replaceState(null, "", this.link()); } catch { /* too often, or a file: */ }
  }

  private key(event: KeyboardEvent, pane: Pane): void {
    const step = 60;
    const moves: Record<string, () => void> = {
      ArrowLeft: () => pane.moveBy(step / this.transform.k, 0), ArrowRight: () => pane.moveBy(-step / this.transform.k, 0),
      ArrowUp: () => pane.moveBy(0, step / this.transform.k), ArrowDown: () => pane.moveBy(0, -step / this.transform.k),
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

  private random(): void {
    if (source.recorded) return;
    const n = this.graph.head.nodes;
    this.place("from", Math.floor(Math.random() * n));
    this.place("to", Math.floor(Math.random() * n));
    this.settleDown();
  }

  private wire(): void {
    get("play").addEventListener("click", () => this.play());
    get("slider").addEventListener("input", () => { this.stop(); this.setShown(Number(get<HTMLInputElement>("slider").value)); });
    get("heights").addEventListener("change", () => void this.askHeights());
    get("random").addEventListener("click", () => this.random());
    get("fit").addEventListener("click", () => this.fit(true));
    get("in").addEventListener("click", () => this.panes[0].zoomBy(1.6));
    get("out").addEventListener("click", () => this.panes[0].zoomBy(1 / 1.6));
    get("swap").addEventListener("click", () => {
      [this.from, this.to] = [this.to, this.from];
      this.traces.clear();
      this.settleDown();
      this.wantFrame();
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
    get("reset").addEventListener("click", () => { this.painted.clear(); void this.sendPaint(true); });
    get("clear").addEventListener("click", () => {
      this.wish.areas = [];
      get<HTMLSelectElement>("area").value = "";
      this.wished();
    });
    const set = (id: string, change: (value: string) => void) => get(id).addEventListener("change", () => {
      change(get<HTMLInputElement>(id).value);
      this.wished();
    });
    set("shortest", (value) => { this.wish.shortest = Number(value) / 100; });
    set("depart", (value) => { this.wish.depart = value; });
    set("alternatives", (value) => { this.wish.alternatives = Number(value); });
    get("theme").addEventListener("click", () => { setTheme(this.dark ? "light" : "dark"); this.redraw(); });
    get("png").addEventListener("click", async () => {
      const frame = get("panes").getBoundingClientRect();
      download("lodestar.png", await picture(this.panes.map((p) => ({
        layers: [p.edges, p.top], box: p.map.getBoundingClientRect(), title: p.label.textContent ?? "" })), frame));
    });
    get("geojson").addEventListener("click", () => {
      if (this.mode === "reach" && this.reach.collection) {
        download("lodestar.geojson", new Blob([JSON.stringify(this.reach.collection)], { type: "application/geo+json" }));
        return;
      }
      if (this.mode === "route" && this.answers.length > 0) {
        download("lodestar.geojson", new Blob([routesGeojson(this.answers, this.graph)], { type: "application/geo+json" }));
        return;
      }
      const traces = this.methods.map((m) => this.traces.get(m)).filter((t): t is Trace => t !== undefined);
      if (traces.length === 0) { this.error("There is no route to export yet."); return; }
      if (this.graph.head.kind === "none") { this.error("This graph has no coordinates, so its routes have no GeoJSON."); return; }
      download("lodestar.geojson", new Blob([geojson(traces)], { type: "application/geo+json" }));
    });
    get("posthoc").addEventListener("click", async () => {
      if (this.from === null || this.to === null) { this.error("There is no search to export yet."); return; }
      try {
        const method = this.methods.find((m) => m !== "request") ?? "dijkstra";
        download(`${method}.trace.json`, new Blob([await source.posthoc(this.from, this.to, method)], { type: "application/json" }));
      } catch (problem) { this.error((problem as Error).message); }
    });
    get("link").addEventListener("click", async () => {
      this.writeLink();
      try { await navigator.clipboard.writeText(location.href); get("link").textContent = "Copied"; }
      catch { get("link").textContent = "Copy it from the address bar"; }
      setTimeout(() => { get("link").textContent = "Copy link"; }, 2000);
    });
    window.addEventListener("hashchange", () => {
      const link = parseLink(location.hash, this.graph.head.nodes);
      this.from = link.from;
      this.to = link.to;
      this.traces.clear();
      this.wish.read(link.request);
      this.makeWish();
      if (link.mode && !get("modes").hidden) this.setMode(link.mode);
      if (link.view) this.showLinked(link.view);
      this.settleDown();
    });
    document.addEventListener("keydown", (event) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|BUTTON|TEXTAREA|SUMMARY)$/.test(target.tagName)) return;
      const method = this.graph.head.methods[Number(event.key) - 1];
      if (this.mode !== "compare") return;
      if (event.key === " ") { event.preventDefault(); this.play(); }
      else if (event.key === "[" || event.key === "]") {
        this.stop();
        const by = Math.max(1, Math.round(this.longest() / 100)) * (event.key === "[" ? -1 : 1);
        this.setShown(Math.max(0, Math.min(this.longest(), this.shown + by)));
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
    try { get<HTMLInputElement>("token").value = sessionStorage.getItem("token") ?? ""; } catch { /* private window */ }
  }
}

function setTheme(theme: string): void {
  document.documentElement.dataset.theme = theme;
  try { localStorage.setItem("theme", theme); } catch { /* private window */ }
}

let theme: string | null = null;
try { theme = localStorage.getItem("theme"); } catch { /* private window */ }
document.documentElement.dataset.theme = theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

async function start(): Promise<void> {
  try {
    const profiles = await source.profiles();
    const asked = parseLink(location.hash, 0).profile;
    const profile = profiles.includes(asked) ? asked : profiles[0];
    source.use(profile);
    const [graph, map] = await Promise.all([source.graph(), source.map()]);
    (window as unknown as { viewer: Viewer }).viewer = new Viewer(graph, map, profiles, profile);
  } catch (problem) {
    get("error").hidden = false;
    get("error").textContent = (problem as Error).message;
    get("facts").textContent = "no graph";
  }
}
void start();
