import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (name) => JSON.parse(readFileSync(`${root}/build/words/${name}.json`, "utf8"));
const { identifiers, parts } = read("list");
const names = new Set(identifiers.map((name) => name.toLowerCase()));
const inNames = new Set(parts);
const exceptions = read("exceptions");

const isAllowed = (file, name) =>
	exceptions.some(
		(e) => e.found.toLowerCase() === name.toLowerCase() && (file === e.file || file.startsWith(`${e.file}/`)),
	);

const isFound = (name) =>
	names.has(name.toLowerCase()) ||
	name.split(/(?<=[a-z0-9])(?=[A-Z])|[_-]/).some((part) => inNames.has(part.toLowerCase()));

/** No identifier of the page has a name of build/words/list.json; build/words checks everything else. */
export default {
	meta: { type: "suggestion", schema: [], messages: { found: "“{{name}}” is not a plain name (build/words)" } },
	create(context) {
		const file = relative(root, context.filename).replaceAll("\\", "/");
		const check = (node) => {
			if (isFound(node.name) && !isAllowed(file, node.name))
				context.report({ node, messageId: "found", data: { name: node.name } });
		};
		return { Identifier: check, JSXIdentifier: check };
	},
};
