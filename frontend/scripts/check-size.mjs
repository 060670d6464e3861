// Fails when the scripts of the first paint weigh more than the budget. Lazy chunks do not count.
import { readFileSync, rmSync } from "node:fs";
import { gzipSync } from "node:zlib";

const budget = 250 * 1000;
const dist = new URL("../dist/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", dist), "utf8"));
rmSync(new URL(".vite", dist), { recursive: true }); // the program need not carry it

function collect(name, seen = new Set()) {
	if (seen.has(name)) return seen;
	seen.add(name);
	for (const next of manifest[name].imports ?? []) collect(next, seen);
	return seen;
}

const entry = Object.keys(manifest).find((name) => manifest[name].isEntry);
const files = [...collect(entry)].map((name) => manifest[name].file).filter((file) => file.endsWith(".js"));
const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(new URL(file, dist))).length, 0);
const say = `first paint: ${(bytes / 1000).toFixed(0)} kB of JavaScript gzipped, budget ${budget / 1000} kB`;
if (bytes > budget) {
	console.error(`${say}: too much. Load more of it lazily.`);
	process.exit(1);
}
console.log(say);
