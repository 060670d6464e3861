// Fails on files that import each other in a circle, also by types or on request: neither can be read before the other.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const src = fileURLToPath(new URL("../src/", import.meta.url));

function codeFiles(folder) {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) return codeFiles(path);
		return /\.tsx?$/.test(entry.name) && !/\.test\.|\.d\.ts$/.test(entry.name) ? [path] : [];
	});
}

const isFile = (path) => existsSync(path) && statSync(path).isFile();

/** The file that an import means; undefined for packages. */
function fileOf(from, name) {
	if (!/^(@\/|\.)/.test(name)) return undefined;
	const path = name.startsWith("@/") ? join(src, name.slice(2)) : join(dirname(from), name);
	return ["", ".ts", ".tsx", "/index.ts", "/index.tsx"].map((end) => path + end).find(isFile);
}

function importsOf(file) {
	const names = readFileSync(file, "utf8").matchAll(
		/(?:^(?:import|export)\b[^;"]*\bfrom\s*|\bimport\(?\s*)"([^"]+)"/gm,
	);
	return [...names].flatMap(([, name]) => fileOf(file, name) ?? []);
}

const imports = new Map(codeFiles(src).map((file) => [file, importsOf(file)]));
const done = new Set();
const problems = [];

/** Follows the imports of a file; path are the files that lead to it. */
function follow(file, path) {
	const at = path.indexOf(file);
	if (at >= 0) problems.push([...path.slice(at), file].map((name) => relative(src, name)).join(" -> "));
	if (at >= 0 || done.has(file)) return;
	for (const next of imports.get(file) ?? []) follow(next, [...path, file]);
	done.add(file);
}

for (const file of imports.keys()) follow(file, []);
if (problems.length > 0) {
	console.error(["These files import each other in a circle:", ...problems].join("\n"));
	process.exit(1);
}
