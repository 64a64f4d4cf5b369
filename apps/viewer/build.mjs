// Bundles src/ into dist/viewer.html, one file without outside references.
//   node build.mjs            writes it
//   node build.mjs --check    fails unless the committed file is what the sources make
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const bundled = await build({
  entryPoints: [join(here, "src/main.ts")],
  bundle: true,
  minify: true,
  write: false,
  format: "iife",
  target: "es2020",
  charset: "utf8",
  legalComments: "inline",
});
const styles = await build({
  entryPoints: [join(here, "src/style.css")],
  minify: true,
  write: false,
  bundle: true,
  target: "es2020",
});
const program = bundled.outputFiles[0].text.trim().replaceAll("</script", "<\\/script");
const page = readFileSync(join(here, "src/page.html"), "utf8")
  .replace("/*STYLE*/", () => styles.outputFiles[0].text.trim())
  .replace("/*PROGRAM*/", () => program);
const out = join(here, "dist/viewer.html");
if (process.argv.includes("--check")) {
  if (readFileSync(out, "utf8") !== page) {
    console.error("apps/viewer/dist/viewer.html is not what apps/viewer/src makes; run: npm run build");
    process.exit(1);
  }
  console.log("apps/viewer/dist/viewer.html is what the sources make");
} else {
  writeFileSync(out, page);
  console.log(`apps/viewer/dist/viewer.html: ${Math.round(page.length / 1024)} kB`);
}
