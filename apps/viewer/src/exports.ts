// Exports: pictures, routes, traces, links.
import { Graph } from "./graph";
import { Pane } from "./pane";
import { Answer } from "./route";
import { Trace } from "./source";

export function download(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// Routes of the API, in the order shown.
export function routesGeojson(answers: Answer[], graph: Graph): string {
  const frame = graph.head.request!.frame;
  return JSON.stringify({ type: "FeatureCollection", features: answers.map(({ line, duration, distance, weight, optimal }) => ({
    type: "Feature", properties: { duration, distance, weight, optimal },
    geometry: { type: "LineString", coordinates: Array.from({ length: line.length / 2 }, (_, i) =>
      [+(frame[0] + frame[2] * line[2 * i]).toFixed(6), +(frame[1] + frame[3] * line[2 * i + 1]).toFixed(6)]) },
  })) }) + "\n";
}

// The features are those of the server: the schema of `lodestar solve --geojson`.
export function geojson(traces: Trace[]): string {
  const features = traces.filter((t) => t.feature?.geometry).map((t) => ({
    ...t.feature!,
    properties: { method: t.method, ...t.feature!.properties, expansions: t.expansions, weights_version: t.weights_version },
  }));
  return JSON.stringify({ type: "FeatureCollection", features }) + "\n";
}

// All panes as they stand in the page.
export async function picture(panes: Pane[], all: HTMLElement): Promise<Blob> {
  const frame = all.getBoundingClientRect();
  const scale = window.devicePixelRatio || 1;
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(frame.width * scale);
  canvas.height = Math.round(frame.height * scale);
  const context = canvas.getContext("2d")!;
  for (const { edges, top, map, label } of panes) {
    const box = map.getBoundingClientRect();
    const x = (box.left - frame.left) * scale, y = (box.top - frame.top) * scale;
    for (const layer of [edges, top]) context.drawImage(layer, x, y, box.width * scale, box.height * scale);
    context.font = `${13 * scale}px system-ui, sans-serif`;
    context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--text");
    context.fillText(label.textContent ?? "", x + 10 * scale, y + 22 * scale);
  }
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"));
}

// State in the address, so that a link shows the same page.
export interface Link {
  from: number | null; to: number | null; methods: string[]; heights: string;
  request: string;  // options of this request
  mode: string; profile: string; minutes: number;
  ends: [number, number][];  // places instead of nodes, where the graph is not known yet
  view: [number, number, number] | null;  // middle and size, in the box of 1
}

export function linkText(link: Link): string {
  const parts = new URLSearchParams();
  if (link.from !== null) parts.set("from", String(link.from));
  if (link.to !== null) parts.set("to", String(link.to));
  if (link.profile) parts.set("profile", link.profile);
  if (link.mode !== "compare") parts.set("mode", link.mode); else parts.set("methods", link.methods.join(","));
  if (link.mode === "reach") parts.set("minutes", String(link.minutes));
  if (link.ends.length > 0) parts.set("ends", link.ends.map((place) => place.map((n) => n.toFixed(6)).join(",")).join(";"));
  if (link.heights) parts.set("heights", link.heights);
  if (link.request) parts.set("request", link.request);
  if (link.view) parts.set("view", link.view.map((n) => n.toPrecision(6)).join(","));
  return "#" + parts.toString();
}

export function parseLink(hash: string, nodes: number): Link {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const node = (name: string) => {
    const text = parts.get(name);
    const v = text !== null && /^\d{1,10}$/.test(text) ? Number(text) : -1;
    return v >= 0 && v < nodes ? v : null;
  };
  const view = (parts.get("view") ?? "").split(",").map(Number);
  return {
    from: node("from"), to: node("to"),
    mode: ["route", "reach"].includes(parts.get("mode") ?? "") ? parts.get("mode")! : parts.has("methods") || parts.get("mode") === "compare" ? "compare" : "",
    profile: parts.get("profile") ?? "",
    minutes: Math.max(1, Math.min(120, Number(parts.get("minutes")) || 10)),
    ends: (parts.get("ends") ?? "").split(";").map((place) => place.split(",").map(Number) as [number, number])
      .filter((place) => place.length === 2 && place.every(Number.isFinite)),
    methods: (parts.get("methods") ?? "").split(",").filter((m) => m !== ""),
    request: parts.get("request") ?? "",
    heights: ["learned", "alt"].includes(parts.get("heights") ?? "") ? parts.get("heights")! : "",
    view: view.length === 3 && view.every(Number.isFinite) && view[2] > 0 ? [view[0], view[1], view[2]] : null,
  };
}

// The button says what became of it.
export async function copyLink(button: HTMLElement): Promise<void> {
  try { await navigator.clipboard.writeText(location.href); button.textContent = "Copied"; }
  catch { button.textContent = "Copy it from the address bar"; }
  setTimeout(() => { button.textContent = "Copy link"; }, 2000);
}
