// Controls for the weights of a request, as far as this graph and this server have them.
import { Graph } from "./graph";
import { get } from "./page";
import { Wish } from "./wish";

export function showWish(wish: Wish, graph: Graph, recorded: boolean, changed: () => void): void {
  const facts = graph.head.request;
  get("request").hidden = !facts || recorded;
  if (!facts) return;
  for (const option of get<HTMLSelectElement>("area").options) option.disabled = option.value !== "" && graph.head.kind === "none";
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
      changed();
    });
    label.append(box, ` ${name}`);
    return label;
  }));
  get<HTMLInputElement>("shortest").value = String(Math.round(100 * wish.shortest));
  get<HTMLInputElement>("depart").value = wish.depart;
  get<HTMLSelectElement>("alternatives").value = String(wish.alternatives);
}

export function wireWish(wish: Wish, changed: () => void): void {
  get("clear").addEventListener("click", () => {
    wish.areas = [];
    get<HTMLSelectElement>("area").value = "";
    changed();
  });
  const set = (id: string, change: (value: string) => void) => get(id).addEventListener("change", () => {
    change(get<HTMLInputElement>(id).value);
    changed();
  });
  set("shortest", (value) => { wish.shortest = Number(value) / 100; });
  set("depart", (value) => { wish.depart = value; });
  set("alternatives", (value) => { wish.alternatives = Number(value); });
}
