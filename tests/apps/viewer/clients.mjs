// Clients of OSRM against this server, in a browser: leaflet-routing-machine, osrm-text-instructions,
// @mapbox/polyline, maplibre-gl-directions, as npm has them (pinned in apps/viewer/package.json).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";

const require = createRequire(new URL("../../../apps/viewer/package.json", import.meta.url));

// Null where the packages are not installed.
async function bundle() {
  try { require.resolve("leaflet-routing-machine"); require.resolve("maplibre-gl"); } catch { return null; }
  const { outputFiles } = await require("esbuild").build({
    stdin: {
      resolveDir: dirname(require.resolve("./package.json")),
      contents: `
        window.L = require("leaflet");
        require("leaflet-routing-machine");
        window.textInstructions = require("osrm-text-instructions")("v5");
        window.polyline = require("@mapbox/polyline");
        window.maplibregl = require("maplibre-gl");
        window.Directions = require("@maplibre/maplibre-gl-directions").default;`,
    },
    bundle: true, write: false, format: "iife", platform: "browser", loader: { ".css": "empty" }, logLevel: "silent",
  });
  const style = readFileSync(require.resolve("leaflet/dist/leaflet.css"), "utf8");
  return `<style>${style} .leaflet-routing-container { display: none }</style><div id="map" style="width:900px;height:700px"></div><script>${outputFiles[0].text.replaceAll("</script", "<\\/script")}</script>`;
}

// url: a server with the town of town.mjs and the profiles car, bicycle and foot.
export async function testClients(url, open, test) {
  const program = await bundle();
  if (program === null) { console.log("clients of OSRM skipped: not installed (npm ci in apps/viewer/)"); return; }
  const page = await open("about:blank");
  await page.route(url + "/client", (route) => route.fulfill({
    contentType: "text/html", body: `<!doctype html><body style="margin:0">${program}` }));
  const dot = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
  await page.route(/\/marker-.*png/, (route) => route.fulfill({ contentType: "image/gif", body: dot }));
  const a = [0.009, 0.009], b = [0.036, 0.024], via = [0.02, 0.006];  // longitude, latitude
  const load = () => page.goto(url + "/client");

  await test("leaflet-routing-machine draws a route, takes a via and follows a dragged marker", async () => {
    await load();
    const found = await page.evaluate(async ({ url, a, b, via }) => {
      const map = window.map = L.map("map").setView([0.016, 0.02], 14);
      const at = ([lon, lat]) => L.latLng(lat, lon);
      const control = window.control = L.Routing.control({
        waypoints: [at(a), at(b)], router: L.Routing.osrmv1({ serviceUrl: url + "/route/v1", profile: "driving" }), fitSelectedRoutes: false }).addTo(map);
      const next = () => new Promise((resolve, reject) => { control.once("routesfound", (e) => resolve(e.routes[0])); control.once("routingerror", (e) => reject(e.error)); });
      const short = (route) => ({ time: route.summary.totalTime, far: route.summary.totalDistance, points: route.coordinates.length, texts: route.instructions.map((i) => i.text), waypoints: route.waypoints.length });
      const first = short(await next());
      control.spliceWaypoints(1, 0, at(via));
      const through = short(await next());
      window.moved = next().then(short);
      return { first, through };
    }, { url, a, b, via });
    assert.ok(found.first.time > 60 && found.first.far > 1000 && found.first.points > 10);
    assert.ok(found.through.time > found.first.time && found.through.waypoints === 3);
    assert.match(found.first.texts[0], /^Head/);
    assert.match(found.first.texts.at(-1), /^You have arrived/);
    assert.ok(await page.locator(".leaflet-overlay-pane path").count() > 0, "no line");
    const marker = await page.locator(".leaflet-marker-draggable").nth(2).boundingBox();
    await page.mouse.move(marker.x + 12, marker.y + 20);
    await page.mouse.down();
    await page.mouse.move(marker.x - 80, marker.y + 90, { steps: 5 });
    await page.mouse.up();
    const dragged = await page.evaluate(() => window.moved);
    assert.notEqual(dragged.time, found.through.time);
  });

  await test("osrm-text-instructions says which way at every fork; @mapbox/polyline reads the line", async () => {
    await load();
    const said = await page.evaluate(async ({ url, a, b }) => {
      const ask = async (options) => (await (await fetch(`${url}/route/v1/driving/${a};${b}?steps=true&overview=full&${options}`)).json()).routes[0];
      const [coded, plain, exact] = await Promise.all([ask(""), ask("geometries=geojson"), ask("geometries=polyline6")]);
      const off = (line) => Math.max(...line.map(([lat, lon], i) => Math.max(Math.abs(lat - plain.geometry.coordinates[i][1]), Math.abs(lon - plain.geometry.coordinates[i][0]))));
      return {
        off: off(polyline.decode(coded.geometry)), exact: off(polyline.decode(exact.geometry, 6)),
        steps: coded.legs[0].steps.map((step) => ({ text: textInstructions.compile("en", step), german: textInstructions.compile("de", step),
          ways: step.intersections[0].entry.filter(Boolean).length, type: step.maneuver.type })),
      };
    }, { url, a, b });
    assert.ok(said.off <= 1e-5 && said.exact <= 1e-6, `${said.off}, ${said.exact}`);
    assert.ok(said.steps.length > 3);
    for (const { text, ways, type } of said.steps) assert.ok(!(/^go straight$/i.test(text) && ways > 1), `${type}: ${text}`);
    assert.match(said.steps.at(-1).german, /Ziel/);
  });

  await test("maplibre-gl-directions asks by POST, with bearings", async () => {
    await load();
    const requests = [];
    const listen = (request) => { if (request.url().includes("/route/v1")) requests.push([request.method(), request.url(), request.postData() ?? ""]); };
    page.on("request", listen);
    const routed = await page.evaluate(async ({ url, a, b }) => {
      const map = new maplibregl.Map({ container: "map", style: { version: 8, sources: {}, layers: [] }, center: [0.02, 0.016], zoom: 13, attributionControl: false });
      await new Promise((resolve) => map.once("load", resolve));
      const out = [];
      for (const extra of [{ makePostRequest: true }, { bearings: true }]) {
        const directions = new Directions(map, { api: url + "/route/v1", profile: "driving", requestOptions: { overview: "full", alternatives: "true" }, ...extra });
        const done = new Promise((resolve) => directions.on("fetchroutesend", (event) => resolve(event.data.directions)));
        await directions.setWaypoints([a, b]);
        const { code, routes } = (await done) ?? {};
        out.push({ code, distance: routes?.[0]?.distance });
        directions.destroy();
      }
      // With values, which the map sets when a waypoint is turned.
      const turned = await (await fetch(`${url}/route/v1/driving/${a};${b}?bearings=90,100;0,180`)).json();
      out.push({ code: turned.code, distance: turned.routes?.[0]?.distance });
      return out;
    }, { url, a, b });
    page.off("request", listen);
    for (const { code, distance } of routed) assert.ok(code === "Ok" && distance > 1000, JSON.stringify(routed));
    assert.ok(requests.some(([method, , body]) => method === "POST" && body.includes("coordinates")));
    assert.ok(requests.some(([, target]) => target.includes("bearings=")), "no bearings were sent");
  });
  await page.context().close();
}
