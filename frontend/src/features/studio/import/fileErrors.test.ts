import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ApiError } from "@/api/errors";
import { canRetry, reasonOf, reasonByDetail } from "./fileErrors";

const refused = (detail: string) => new ApiError(415, { code: "unsupported_media", detail, remedy: "" });

test("the program still says what is known here", () => {
  const folder = new URL("../../../../../backend/extract/", `file://${import.meta.filename}`);
  const code = readdirSync(folder)
    .filter((name) => /(?<!_test)\.go$/.test(name))
    .map((name) => readFileSync(new URL(name, folder), "utf8"))
    .join("");
  for (const sentence of Object.keys(reasonByDetail)) expect(code).toContain(`"${sentence}"`);
});

test("a reason is told by what the program says, else by the ending", () => {
  expect(reasonOf(refused("This book is protected against copying."), "a.epub")).toBe("locked");
  expect(reasonOf(refused("Something new."), "My.Book.EPUB")).toBe("noBook");
  expect(reasonOf(refused("Something new."), "letter.docx")).toBe("kind");
  expect(reasonOf(new ApiError(422, { code: "nothing_to_speak" }), "scan.pdf")).toBe("emptyPdf");
  expect(reasonOf(new ApiError(0, { code: "unreachable" }), "a.txt")).toBeNull();
});

test("only what can end in another way is tried again", () => {
  expect([null, "noPdftotext", "noBook", "kind", "empty"].map((reason) => canRetry(reason as never))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
