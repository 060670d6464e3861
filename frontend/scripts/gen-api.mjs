// Writes src/api/schema.d.ts from the API document of the backend.
import { readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";

const source = new URL("../../backend/httpapi/testdata/openapi.json", import.meta.url);
const target = new URL("../src/api/schema.d.ts", import.meta.url);

/** The server ignores unknown fields, so every schema allows them; types that do would hide misspelt names. */
function closeObjects(node) {
	if (Array.isArray(node)) return node.forEach(closeObjects);
	if (node === null || typeof node !== "object") return;
	if (node.properties && node.additionalProperties === true) delete node.additionalProperties;
	Object.values(node).forEach(closeObjects);
}

const document = JSON.parse(readFileSync(source, "utf8"));
closeObjects(document);
const ast = await openapiTS(document, { alphabetize: true });
writeFileSync(target, `// Made by npm run gen:api; do not edit.\n${astToString(ast)}`);
