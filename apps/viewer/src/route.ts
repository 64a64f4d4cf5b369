// Routes as the server's API has them: requests, turn by turn texts, lines on the map.
import { Graph } from "./graph";

export interface Step { icon: string; text: string; distance: number; at: [number, number] }
export interface Answer {
  duration: number | null; distance: number | null; weight: number; optimal: boolean; summary: string;
  line: number[];  // in the box of 1
  steps: Step[];
}

interface OsrmStep {
  name: string; ref?: string; distance: number;
  maneuver: { type: string; modifier?: string; exit?: number; location: [number, number] };
}

const ARROWS: Record<string, string> = {
  "straight": "↑", "slight right": "↗", "right": "→", "sharp right": "↘", "uturn": "↶",
  "sharp left": "↙", "left": "←", "slight left": "↖",
};

function textOf(step: OsrmStep): [string, string] {
  const { type, modifier = "straight", exit } = step.maneuver;
  const name = step.name || step.ref || "", onto = name ? ` onto ${name}` : "", on = name ? ` on ${name}` : "";
  const arrow = ARROWS[modifier] ?? "↑", side = modifier.replace("slight ", "").replace("sharp ", "");
  switch (type) {
    case "depart": return ["●", name ? `Start on ${name}` : "Start"];
    case "arrive": return ["⚑", "Arrive"];
    case "fork": return [arrow, `Keep ${side}${onto}`];
    case "merge": return [arrow, `Merge${onto}`];
    case "on ramp": return [arrow, `Take the ramp${onto}`];
    case "off ramp": return [arrow, `Take the exit${onto}`];
    case "roundabout": case "rotary": return ["↻", `At the roundabout take exit ${exit ?? 1}${onto}`];
    case "exit roundabout": case "exit rotary": return ["↻", `Leave the roundabout${onto}`];
    case "end of road": return [arrow, `At the end of the road turn ${side}${onto}`];
    case "notification": return ["↑", `Continue${on}`];
  }
  if (modifier === "uturn") return [arrow, `Turn back${on}`];
  if (modifier === "straight") return [arrow, `Continue${on}`];
  return [arrow, `${modifier.startsWith("slight") ? "Bear" : "Turn"} ${modifier.startsWith("sharp") ? "sharp " : ""}${side}${onto}`];
}

export function answersOf(response: any, graph: Graph): Answer[] {
  const frame = graph.head.request!.frame;
  const box = ([x, y]: [number, number]): [number, number] => [(x - frame[0]) / frame[2], (y - frame[1]) / frame[3]];
  return response.routes.map((route: any): Answer => ({
    duration: route.weight_name === "cost" ? null : route.duration, distance: route.distance ?? null,
    weight: route.weight, optimal: route.optimal, summary: route.legs[0].summary ?? "",
    line: (route.geometry?.coordinates ?? []).flatMap(box),
    steps: route.legs.flatMap((leg: { steps: OsrmStep[] }) => leg.steps.map((step) => {
      const [icon, text] = textOf(step);
      return { icon, text, distance: step.distance, at: box(step.maneuver.location) };
    })),
  }));
}

export function duration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
export function distance(metres: number): string {
  if (metres < 1000) return `${Math.round(metres / 10) * 10} m`;
  return `${(metres / 1000).toFixed(metres < 20_000 ? 1 : 0)} km`;
}
