// Bundles src/ into dist/viewer.html, one file without outside references.
//   node build.mjs            writes it
//   node build.mjs --check    fails unless the committed file is what the sources make
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const bundle = async (file, options) => {
  const made = await build({
    entryPoints: [join(here, file)],
    bundle: true,
    minify: true,
    write: false,
    target: "es2020",
    ...options,
  });
  return made.outputFiles[0].text.trim();
};
const program = (await bundle("src/main.ts", { format: "iife", charset: "utf8", legalComments: "inline" }))
  .replaceAll("</script", "<\\/script");
const styles = await bundle("src/style.css");
const page = readFileSync(join(here, "src/page.html"), "utf8")
  .replace(/\n\s*/g, " ")  // no element of the page keeps its line breaks
  .replace("/*STYLE*/", () => styles)
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
