// A town that does not exist, as an OpenStreetMap extract: streets with names, a river with bridges, a
// park, a wood, a lake, a motorway with ramps, the sea in the east. The same text every time.
const METRE = 1 / 111_195;  // in degrees, at 0° north, 0° east
const STEP = 125, COLUMNS = 46, ROWS = 34;

export function town() {
  let seed = 12345;
  const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  const nodes = [], ways = [];
  const node = (x, y) => { nodes.push([x, y]); return nodes.length; };
  const way = (refs, tags) => { if (refs.length > 1) ways.push([refs, tags]); };
  const line = (points, tags) => way(points.map(([x, y]) => node(x, y)), tags);

  const warp = (x, y) => [
    x + 90 * Math.sin(y / 700) + 60 * Math.sin(x / 900 + y / 500), y + 110 * Math.sin(x / 1100) + 50 * Math.sin(y / 600 + 1)];
  const river = (x) => 1700 + 420 * Math.sin(x / 1150 + 0.4) + 120 * Math.sin(x / 370);
  const coast = (y) => 5350 + 260 * Math.sin(y / 640) + 90 * Math.sin(y / 210 + 2);
  const inPark = (x, y) => ((x - 2350) / 620) ** 2 + ((y - 3050) / 420) ** 2 < 1;
  const inLake = (x, y) => ((x - 900) / 330) ** 2 + ((y - 3500) / 230) ** 2 < 1;
  const inWood = (x, y) => ((x - 700) / 620) ** 2 + ((y - 520) / 430) ** 2 < 1;
  const wet = (x, y) => Math.abs(y - river(x)) < 95 || x > coast(y) - 60 || inLake(x, y);

  const at = [];
  for (let j = 0; j < ROWS; ++j) for (let i = 0; i < COLUMNS; ++i) {
    const [x, y] = warp(i * STEP, j * STEP), far = 12;
    at.push({ x: x + far * (random() - 0.5), y: y + far * (random() - 0.5) });
  }
  for (const one of at) one.id = wet(one.x, one.y) || inWood(one.x, one.y) ? 0 : node(one.x, one.y);
  const first = ["Amber", "Birch", "Cedar", "Dover", "Elm", "Fern", "Garnet", "Hazel", "Iris", "Juniper", "Kestrel", "Linden", "Maple",
    "North", "Orchard", "Poplar", "Quarry", "Rowan", "Sorrel", "Thistle", "Union", "Violet", "Willow", "Yarrow"];
  const kinds = ["Street", "Lane", "Road", "Row", "Way"];
  const name = (k) => `${first[(k * 7) % first.length]} ${k % 9 === 0 ? "Avenue" : kinds[(k * 3) % kinds.length]}`;
  const classOf = (k) => (k % 12 === 6 ? "primary" : k % 6 === 3 ? "secondary" : k % 3 === 0 ? "tertiary" : "residential");

  // A row or column, in pieces: broken where an edge is missing, with paths inside the park.
  const street = (cells, k, number) => {
    const main = classOf(k), tags = { highway: main, name: name(number) };
    if (main === "residential" && random() < 0.25) tags.oneway = "yes";
    let part = [], park = false;
    const flush = () => { way(part, park ? { highway: "footway" } : { ...tags }); part = []; };
    for (let c = 0; c + 1 < cells.length; ++c) {
      const a = cells[c], b = cells[c + 1];
      if (a.id === 0) { flush(); continue; }
      const green = main === "residential" && inPark((a.x + b.x) / 2, (a.y + b.y) / 2);
      const missing = b.id === 0 || (main === "residential" && random() < 0.13);
      if (missing || green !== park) { flush(); park = green; }
      if (missing) continue;
      if (part.length === 0) part.push(a.id);
      part.push(b.id);
    }
    flush();
    // Bridges: from the last cell before the water to the first behind it.
    if (main === "residential") return;
    for (let c = 0; c < cells.length; ++c) {
      if (cells[c].id === 0 || cells[c + 1]?.id !== 0) continue;
      let d = c + 1;
      while (d < cells.length && cells[d].id === 0) ++d;
      if (d < cells.length && d - c < 6 && main !== "tertiary") way([cells[c].id, cells[d].id], { ...tags, bridge: "yes" });
    }
  };
  for (let i = 0; i < COLUMNS; ++i) street(Array.from({ length: ROWS }, (_, j) => at[j * COLUMNS + i]), i, i);
  for (let j = 0; j < ROWS; ++j) street(at.slice(j * COLUMNS, (j + 1) * COLUMNS), j, j + COLUMNS);

  // A motorway in the north with ramps to the main streets it meets.
  const course = (x) => 3850 + 130 * Math.sin(x / 1300), lanes = [[], []];
  for (let x = -300; x <= 4900; x += 100) for (const side of [0, 1]) lanes[side].push(node(x, course(x) + 26 * side));
  way(lanes[0], { highway: "motorway", ref: "M 1", oneway: "yes" });
  way(lanes[1].slice().reverse(), { highway: "motorway", ref: "M 1", oneway: "yes" });
  for (const i of [6, 18, 30]) {
    let best;
    for (let j = 0; j < ROWS; ++j) {
      const cell = at[j * COLUMNS + i];
      if (cell.id && cell.y < course(cell.x) - 60 && (!best || cell.y > best.y)) best = cell;
    }
    const k = Math.round((best.x + 300) / 100);
    const link = (refs) => way(refs, { highway: "motorway_link", oneway: "yes" });
    for (const lane of lanes) {
      const [before, after] = [lane[k - 4], lane[k + 4]];
      if (lane === lanes[0]) { link([before, best.id]); link([best.id, after]); } else { link([after, best.id]); link([best.id, before]); }
    }
  }

  const ring = (f, steps = 48) => { const points = Array.from({ length: steps }, (_, i) => f((2 * Math.PI * i) / steps)); return [...points, points[0]]; };
  const area = (points, tags) => { const ids = points.slice(0, -1).map(([x, y]) => node(x, y)); way([...ids, ids[0]], tags); };
  const wobble = (t) => 1 + 0.07 * Math.sin(3 * t) + 0.05 * Math.sin(5 * t + 1);
  area(ring((t) => [900 + 300 * wobble(t) * Math.cos(t), 3500 + 205 * wobble(t) * Math.sin(t)]), { natural: "water" });
  area(ring((t) => [2350 + 600 * wobble(t) * Math.cos(t), 3050 + 400 * wobble(t) * Math.sin(t)]), { leisure: "park" });
  area(ring((t) => [2450 + 130 * wobble(t) * Math.cos(t), 3000 + 70 * wobble(t) * Math.sin(t)]), { natural: "water" });
  area(ring((t) => [700 + 610 * wobble(t) * Math.cos(t), 520 + 430 * wobble(t) * Math.sin(t)]), { natural: "wood" });
  const xs = Array.from({ length: 60 }, (_, i) => -700 + 110 * i);
  const banks = [...xs.map((x) => [x, river(x) + 75]), ...xs.slice().reverse().map((x) => [x, river(x) - 75])];
  area([...banks, banks[0]], { natural: "water" });
  line(Array.from({ length: 90 }, (_, i) => [coast(-1500 + 80 * i), -1500 + 80 * i]), { natural: "coastline" });  // the land is on its left

  const text = (tags) => Object.entries(tags).map(([k, v]) => `<tag k="${k}" v="${v}"/>`).join("");
  return `<osm version="0.6">\n${nodes.map(([x, y], i) => `<node id="${i + 1}" lon="${(x * METRE).toFixed(7)}" lat="${(y * METRE).toFixed(7)}"/>`).join("\n")}
${ways.map(([refs, tags], i) => `<way id="${i + 1}">${refs.map((r) => `<nd ref="${r}"/>`).join("")}${text(tags)}</way>`).join("\n")}\n</osm>\n`;
}
