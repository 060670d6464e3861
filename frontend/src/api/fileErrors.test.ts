import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ApiError } from "./errors";
import { canRetry, reasonOf, reasonByParam } from "./fileErrors";
import { fileTypes, isTextFile } from "@/lib/textFiles";

const refused = (reason: string) =>
  new ApiError(415, { code: "unsupported_media", detail: "x", remedy: "", params: { reason } });

test("the server sends every reason that is known here", () => {
  const folder = new URL("../../../backend/extract/", `file://${import.meta.filename}`);
  const code = readdirSync(folder, { encoding: "utf8", recursive: true })
    .filter((name) => /(?<!_test)\.go$/.test(name))
    .map((name) => readFileSync(new URL(name, folder), "utf8"))
    .join("");
  for (const reason of Object.keys(reasonByParam)) expect(code).toContain(`"${reason}"`);
});

test("the reason comes from the params, otherwise from the extension", () => {
  expect(reasonOf(refused("locked"), "a.epub")).toBe("locked");
  expect(reasonOf(refused("new"), "My.Book.EPUB")).toBe("noBook");
  expect(reasonOf(refused("new"), "letter.odt")).toBe("kind");
  expect(reasonOf(refused("new"), "letter.docx")).toBe("noWord");
  expect(reasonOf(refused("old_word"), "letter.doc")).toBe("oldWord");
  expect(reasonOf(new ApiError(422, { code: "nothing_to_speak" }), "scan.pdf")).toBe("emptyPdf");
  expect(reasonOf(new ApiError(0, { code: "unreachable" }), "a.txt")).toBeNull();
});

test("only errors that may not recur can be retried", () => {
  expect([null, "noPdftotext", "noBook", "kind", "empty"].map((reason) => canRetry(reason as never))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

test("the page opens the kinds of files that the server reads", () => {
  const formats = new URL("../../../backend/extract/format.go", `file://${import.meta.filename}`);
  const list = /func formats\(\)[^]*?\n}/.exec(readFileSync(formats, "utf8"))?.[0] ?? "";
  expect(fileTypes.split(",")).toEqual([...list.matchAll(/"(\.\w+)"/g)].map(([, ending]) => ending));
});

test("every kind of file that is opened can be dropped on any screen", () => {
  expect(fileTypes.split(",").filter((ending) => !isTextFile(`A book${ending.toUpperCase()}`))).toEqual([]);
  expect(["a.odt", "txt", "a.txt.zip", "a.mp3"].filter(isTextFile)).toEqual([]);
});
