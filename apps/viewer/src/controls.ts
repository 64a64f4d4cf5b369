// The buttons, fields and keys of the page, and what they export.
import { copyLink, download, geojson, linkText, parseLink, picture, routesGeojson } from "./exports";
import { legend } from "./map";
import { get, isDark, setTheme, showError } from "./page";
import { recording, source, Trace } from "./source";
import type { Viewer } from "./viewer";
import { showWish, wireWish } from "./wish_form";

export function makeLegend(viewer: Viewer): void {
  const rows = legend(viewer.graph, viewer.map), box = get("legend");
  box.hidden = rows.length === 0;
  box.replaceChildren(...rows.map(([colour, text]) => {
    const row = document.createElement("div"), swatch = document.createElement("i");
    swatch.style.background = `var(${colour})`;
    row.append(swatch, text);
    return row;
  }));
  get("credit").hidden = !(viewer.graph.head.kind === "degrees" && viewer.map.streets.length > 0);
}

// Another graph has other nodes: the places are kept, and the page starts again.
function switchTo(viewer: Viewer, profile: string): void {
  if (profile === viewer.profile) return;
  const ends = [viewer.from, viewer.to].filter((v): v is number => v !== null).map((v) => viewer.placeText(v).split(",").map(Number) as [number, number]);
  history.replaceState(null, "", linkText({
    from: null, to: null, methods: viewer.methods, heights: "", request: viewer.wish.options(), view: null,
    mode: viewer.mode, profile, minutes: viewer.reach.minutes, ends,
  }));
  location.reload();
}

function saveGeojson(viewer: Viewer): void {
  const save = (text: string) => download("lodestar.geojson", new Blob([text], { type: "application/geo+json" }));
  if (viewer.mode === "reach" && viewer.reach.collection) return save(JSON.stringify(viewer.reach.collection));
  if (viewer.mode === "route" && viewer.answers.length > 0) return save(routesGeojson(viewer.answers, viewer.graph));
  const traces = viewer.methods.map((m) => viewer.traces.get(m)).filter((t): t is Trace => t !== undefined);
  if (traces.length === 0) showError("There is no route to export yet.");
  else if (viewer.graph.head.kind === "none") showError("This graph has no coordinates, so its routes have no GeoJSON.");
  else save(geojson(traces));
}

async function savePosthoc(viewer: Viewer): Promise<void> {
  if (viewer.from === null || viewer.to === null) { showError("There is no search to export yet."); return; }
  try {
    const method = viewer.methods.find((m) => m !== "request") ?? "dijkstra";
    download(`${method}.trace.json`, new Blob([await source.posthoc(viewer.from, viewer.to, method)], { type: "application/json" }));
  } catch (problem) { showError((problem as Error).message); }
}

function random(viewer: Viewer): void {
  if (source.recorded) return;
  const n = viewer.graph.head.nodes;
  viewer.place("from", Math.floor(Math.random() * n));
  viewer.place("to", Math.floor(Math.random() * n));
  viewer.settleDown();
}

export function wire(viewer: Viewer): void {
  get("heights").addEventListener("change", () => void viewer.askHeights());
  get("random").addEventListener("click", () => random(viewer));
  get("fit").addEventListener("click", () => viewer.fit(true));
  get("in").addEventListener("click", () => viewer.stage.panes[0].zoomBy(1.6));
  get("out").addEventListener("click", () => viewer.stage.panes[0].zoomBy(1 / 1.6));
  get("swap").addEventListener("click", () => {
    [viewer.from, viewer.to] = [viewer.to, viewer.from];
    viewer.traces.clear();
    viewer.settleDown();
    viewer.stage.wantFrame();
  });
  get("minutes").addEventListener("input", () => {
    viewer.reach.minutes = Number(get<HTMLInputElement>("minutes").value);
    viewer.reach.say();
    if (viewer.from !== null) void viewer.reach.ask(viewer.placeText(viewer.from));
  });
  get("minutes").addEventListener("change", () => viewer.writeLink());
  for (const tab of document.querySelectorAll<HTMLElement>("#modes button")) tab.addEventListener("click", () => viewer.setMode(tab.dataset.mode!));
  get("profiles").hidden = viewer.profiles.length < 2;
  get("profiles").replaceChildren(...(viewer.profiles.length > 1 ? viewer.profiles : []).map((name) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = name;
    button.setAttribute("role", "radio");
    button.setAttribute("aria-checked", String(name === viewer.profile));
    button.addEventListener("click", () => switchTo(viewer, name));
    return button;
  }));
  wireWish(viewer.wish, () => viewer.wished());
  get("theme").addEventListener("click", () => { setTheme(isDark() ? "light" : "dark"); viewer.stage.redraw(); });
  get("png").addEventListener("click", async () => download("lodestar.png", await picture(viewer.stage.panes, get("panes"))));
  get("geojson").addEventListener("click", () => saveGeojson(viewer));
  get("posthoc").addEventListener("click", () => void savePosthoc(viewer));
  get("link").addEventListener("click", () => { viewer.writeLink(); void copyLink(get("link")); });
  window.addEventListener("hashchange", () => {
    const link = parseLink(location.hash, viewer.graph.head.nodes);
    viewer.from = link.from;
    viewer.to = link.to;
    viewer.traces.clear();
    viewer.wish.read(link.request);
    showWish(viewer.wish, viewer.graph, source.recorded, () => viewer.wished());
    if (link.mode && !get("modes").hidden) viewer.setMode(link.mode);
    if (link.view) viewer.stage.showLinked(link.view);
    viewer.settleDown();
  });
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|BUTTON|TEXTAREA|SUMMARY)$/.test(target.tagName)) return;
    const method = viewer.graph.head.methods[Number(event.key) - 1];
    if (viewer.mode !== "compare") return;
    if (event.key === " ") { event.preventDefault(); viewer.player.play(); }
    else if (event.key === "[" || event.key === "]") {
      viewer.player.step(event.key === "[" ? -1 : 1);
    } else if (event.key === "r" || event.key === "R") random(viewer);
    else if (method && !(recording && !recording.traces.some((t) => t.method === method.name))) {
      viewer.toggle(method.name, !viewer.methods.includes(method.name));
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
