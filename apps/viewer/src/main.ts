// Starts the page: reads the graph and the map, and shows them.
import { parseLink } from "./exports";
import { get, showError, startTheme } from "./page";
import { source } from "./source";
import { Viewer } from "./viewer";

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
