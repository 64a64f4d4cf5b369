// Data of the page: from the server, or from a recording inside the page.
import { Graph } from "./graph";
import { get } from "./page";
import { BaseMap, NO_MAP } from "./map";

export interface Feature { type: "Feature"; geometry: object | null; properties: Record<string, unknown> }

export interface ShownRoute {
  cost: number | null; duration: number | null; distance: number;
  line: number[]; feature: Feature | null;
}

export interface Trace {
  method: string; from: number; to: number;
  weights_version: number;
  cost: number | null; lower_bound: number | null; gap: number | null;
  optimal: boolean;
  expansions: number; seconds: number; note: string;
  settled: number[];  // nodes in order; -1 - v: by the search from the target
  path: number[];
  line: number[];  // x, y, x, y, … along the roads, in the box of 1
  feature: Feature | null;  // GeoJSON; null without coordinates
  // Set by the method "request".
  weight_name?: string; potentials?: boolean;
  routes?: ShownRoute[];  // the best one and alternatives
}

export interface Update { arc: number; factor: number }

export interface Source {
  readonly recorded: boolean;
  profiles(): Promise<string[]>;  // names of the server's graphs
  use(profile: string): void;
  graph(): Promise<Graph>;
  map(): Promise<BaseMap>;
  // A response of the routing API, for the profile in use.
  ask(service: string, places: string, options: string): Promise<any>;
  trace(from: number, to: number, method: string, options?: string): Promise<Trace>;
  potential(to: number, method: string): Promise<Float32Array>;
  posthoc(from: number, to: number, method: string): Promise<string>;
  update(updates: Update[] | "reset", token: string): Promise<number>;
}

async function fail(response: Response): Promise<never> {
  let message = `the server responded with status ${response.status}`;
  try { message = (await response.json()).message ?? message; } catch { /* no JSON */ }
  throw new Error(message);
}

async function ask(url: string, init?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch {
    throw new Error("the server cannot be reached; check that it is running");
  }
  return response.ok ? response : fail(response);
}

export class ServerSource implements Source {
  readonly recorded = false;
  private profile = "";
  private get extra(): string { return this.profile && `profile=${encodeURIComponent(this.profile)}`; }
  async profiles() { return (await (await ask("viewer/profiles")).json()) as string[]; }
  use(profile: string) { this.profile = profile; }
  async graph() { return new Graph(await (await ask(`viewer/graph?${this.extra}`)).arrayBuffer()); }
  async map() { return (await (await ask(`viewer/map?${this.extra}`)).json()) as BaseMap; }
  async ask(service: string, places: string, options: string) {
    return (await ask(`${service}/v1/${this.profile || "profile"}/${places}?${options}`)).json();
  }
  async trace(from: number, to: number, method: string, options = "") {
    return (await (await ask(`viewer/trace?from=${from}&to=${to}&method=${method}${options && "&" + options}&${this.extra}`)).json()) as Trace;
  }
  async potential(to: number, method: string) {
    return new Float32Array(await (await ask(`viewer/potential?to=${to}&method=${method}&${this.extra}`)).arrayBuffer());
  }
  async posthoc(from: number, to: number, method: string) {
    return (await ask(`viewer/posthoc?from=${from}&to=${to}&method=${method}&${this.extra}`)).text();
  }
  async update(updates: Update[] | "reset", token: string) {
    const response = await ask(this.profile ? `weights/${this.profile}` : "weights", {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
      body: JSON.stringify(updates === "reset" ? { reset: true } : { updates }),
    });
    return (await response.json()).weights_version as number;
  }
}

export interface Recording {
  graph: string;  // base64
  map?: BaseMap;
  traces: Trace[];
  potentials: Record<string, string>;  // by method, base64, to the target of the traces
}

function bytesOf(text: string): ArrayBuffer {
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  return bytes.buffer;
}

export class RecordedSource implements Source {
  readonly recorded = true;
  constructor(readonly recording: Recording) {}
  async profiles() { return [""]; }
  use() { /* there is one */ }
  async graph() { return new Graph(bytesOf(this.recording.graph)); }
  async map() { return this.recording.map ?? NO_MAP; }
  async ask(): Promise<never> { throw new Error("a recording answers no requests; run `lodestar serve`"); }
  async trace(from: number, to: number, method: string) {
    const found = this.recording.traces.find((t) => t.method === method && t.from === from && t.to === to);
    if (!found) throw new Error("this page contains one recorded comparison; run `lodestar serve` for other queries");
    return found;
  }
  async potential(to: number, method: string) {
    const known = this.recording.potentials[method];
    if (!known || this.recording.traces[0].to !== to) throw new Error("these potentials are not part of the recording");
    return new Float32Array(bytesOf(known));
  }
  async posthoc(): Promise<string> { throw new Error("a recording has no traces to export; use `lodestar solve --trace`"); }
  async update(): Promise<number> { throw new Error("weights cannot change in a recording; run `lodestar serve`"); }
}

// The recording in a page of `lodestar view`; otherwise the server of the page answers.
export const recording = JSON.parse(get("recording").textContent ?? "null") as Recording | null;
export const source: Source = recording ? new RecordedSource(recording) : new ServerSource();
