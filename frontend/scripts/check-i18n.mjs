// Fails on texts that a language lacks, on placeholders that differ, and on keys in the code that no file has.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const src = fileURLToPath(new URL("../src/", import.meta.url));
const languages = ["en", "de"];
const problems = [];
const plural = /_(zero|one|two|few|many|other)$/;

function flatten(node, prefix = "", out = new Map()) {
	for (const [key, value] of Object.entries(node)) {
		if (typeof value === "string") out.set(prefix + key, value);
		else flatten(value, `${prefix}${key}.`, out);
	}
	return out;
}

function readLanguage(language) {
	const folder = join(src, "i18n", language);
	const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
	return new Map(
		names.map((name) => [name.slice(0, -5), flatten(JSON.parse(readFileSync(join(folder, name), "utf8")))]),
	);
}

const placeholders = (text) => [...new Set(text.match(/{{[^}]+}}|<\/?\w+>/g) ?? [])].sort().join(" ");

function compare(texts) {
	for (const a of languages) {
		for (const b of languages.filter((other) => other !== a)) {
			for (const [ns, keys] of texts[a]) {
				for (const [key, text] of keys) {
					const other = texts[b].get(ns)?.get(key);
					if (other === undefined) problems.push(`${b}/${ns}.json lacks "${key}"`);
					else if (a < b && !plural.test(key) && placeholders(text) !== placeholders(other)) {
						problems.push(`"${ns}:${key}" has other placeholders in ${a} than in ${b}`);
					}
					if (text.trim() === "") problems.push(`${a}/${ns}.json has no text for "${key}"`);
				}
			}
		}
	}
}

function codeFiles(folder) {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) return codeFiles(path);
		return /\.tsx?$/.test(entry.name) && !/\.test\.|\.d\.ts$/.test(entry.name) ? [path] : [];
	});
}

/** namespacesOf gives those that a file names in useTranslation("a") or useTranslation(["a", "b"]). */
function namespacesOf(code) {
	const named = [...code.matchAll(/useTranslation\(\s*(\[[^\]]*\]|"[^"]*")/g)].flatMap((m) => m[1].match(/[\w-]+/g));
	return named.length > 0 ? named : ["common"];
}

function known(texts, ns, key, isPrefix) {
	const keys = texts.en.get(ns);
	if (!keys) return false;
	if (isPrefix) return [...keys.keys()].some((name) => name.startsWith(key));
	return keys.has(key) || keys.has(`${key}_other`);
}

function checkCode(texts) {
	const use = /\bt\(\s*(?:"([^"]+)"|`([^`$]*)(\$\{)?[^`]*`)|i18nKey="([^"]+)"/g;
	for (const file of codeFiles(src)) {
		const code = readFileSync(file, "utf8");
		for (const match of code.matchAll(use)) {
			const full = match[1] ?? match[2] ?? match[4];
			if (!full) continue; // the whole key is made at run time: tests cover it
			const [ns, key] = full.includes(":") ? full.split(":") : [undefined, full];
			const spaces = ns ? [ns] : namespacesOf(code);
			if (!spaces.some((name) => known(texts, name, key, Boolean(match[3])))) {
				problems.push(`${file.slice(src.length)}: no text for "${full}" in ${spaces.join(", ")}`);
			}
		}
	}
}

const texts = Object.fromEntries(languages.map((language) => [language, readLanguage(language)]));
compare(texts);
checkCode(texts);
if (problems.length > 0) {
	console.error(problems.join("\n"));
	process.exit(1);
}
