// Lists beside the map: routes, their steps, and the results of methods.
import { Graph } from "./graph";
import { get } from "./page";
import { Pane } from "./pane";
import { Answer, distance, duration } from "./route";
import { Trace } from "./source";

// "12 min", or the cost where there is no time.
export function lengthText(answer: { duration: number | null; weight?: number; cost?: number | null }): string {
  if (answer.duration !== null) return duration(answer.duration);
  return `cost ${(answer.weight ?? answer.cost ?? 0).toLocaleString("en", { maximumFractionDigits: 1 })}`;
}

export function listRoutes(routes: Answer[] | NonNullable<Trace["routes"]>, graph: Graph, selected: number, select: (i: number) => void): void {
  const metric = graph.head.kind === "degrees" || graph.head.request?.metrics.some((m) => m.unit === "m");
  get("routes").replaceChildren(...routes.map((route, i) => {
    const label = document.createElement("label"), button = document.createElement("input");
    const time = document.createElement("b"), far = document.createElement("span"), via = document.createElement("small");
    button.type = "radio";
    button.name = "route";
    button.checked = i === selected;
    button.addEventListener("change", () => select(i));
    time.textContent = lengthText(route);
    far.textContent = route.distance === null ? "" : metric ? distance(route.distance) : route.distance.toLocaleString("en", { maximumFractionDigits: 1 });
    if ("summary" in route) {
      const best = i === 0 && route.optimal;
      via.textContent = (best ? "✓ best" : "") + (route.summary ? `${best ? " · " : ""}via ${route.summary}` : "");
      via.title = best ? "Proven optimal for the current weights" : "";
    }
    label.append(button, time, far, via);
    return label;
  }));
}

export function listSteps(steps: Answer["steps"], show: (at: [number, number]) => void): void {
  get("steps").replaceChildren(...steps.map((step) => {
    const item = document.createElement("li"), button = document.createElement("button");
    button.type = "button";
    for (const [tag, text] of [["i", step.icon], ["span", step.text], ["small", step.distance > 0 ? distance(step.distance) : ""]]) {
      button.append(Object.assign(document.createElement(tag), { textContent: text }));
    }
    button.addEventListener("click", () => show(step.at));
    item.append(button);
    return item;
  }));
}

// The rows of the table, and the line above each pane. comparable: the request asks what the others ask.
export function fillResults(traces: Map<string, Trace>, panes: Pane[], graph: Graph, comparable: boolean): void {
  const dijkstra = traces.get("dijkstra");
  for (const row of document.querySelectorAll<HTMLTableRowElement>("#results tbody tr")) {
    const trace = traces.get(row.dataset.method!);
    const cells = row.querySelectorAll("td");
    const pane = panes.find((p) => p.method === row.dataset.method);
    const set = (i: number, text: string) => { cells[i].textContent = text; };
    cells[4].className = "";
    if (!trace) {
      for (let i = 1; i < 5; ++i) set(i, "");
      if (pane) pane.label.querySelector("span")!.textContent = "";
      continue;
    }
    set(1, trace.expansions.toLocaleString("en"));
    set(2, trace.seconds < 1e-3 ? `${(trace.seconds * 1e6).toFixed(0)} µs` : `${(trace.seconds * 1e3).toFixed(1)} ms`);
    set(3, trace.cost === null ? "no path" : graph.costText(trace.cost, trace.weight_name));
    set(4, trace.optimal ? "✓ optimal" : trace.gap === null ? "unknown" : `≤ +${(100 * trace.gap).toFixed(1)} %`);
    if (!trace.optimal) cells[4].className = "bad";
    cells[4].title = trace.lower_bound === null ? "" : `No path costs less than ${graph.costText(trace.lower_bound)} (weights version ${trace.weights_version}).`;
    const same = trace.method !== "request" || comparable;
    const share = dijkstra && same && trace.method !== "dijkstra" ? `, ${(dijkstra.expansions / Math.max(1, trace.expansions)).toFixed(1)} × fewer` : "";
    if (pane) pane.label.querySelector("span")!.textContent = `${trace.expansions.toLocaleString("en")} expanded${share}`;
  }
}
