// Writes src/api/schema.d.ts from the API document of the backend.
import { readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";

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
const blob = ts.factory.createTypeReferenceNode("Blob");
const ast = await openapiTS(document, {
	alphabetize: true,
	transform: (schema) => (schema.format === "binary" ? blob : undefined), // files, which the default types as strings
});
writeFileSync(target, `// Made by npm run gen:api; do not edit.\n${astToString(ast)}`);
