import { readFile } from "node:fs/promises";
import type { Browser, Page } from "@playwright/test";
import { fileTypes } from "@/lib/textFiles";
import { dropFiles } from "./drop";
import { expect, test, watch, type Server } from "./studio";
import { paper } from "./words";
import { zip } from "./zip";

const words = "The ferry passed the island at noon.";

const word = zip({
  "word/document.xml": `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>${words}</w:t></w:r></w:p></w:body></w:document>`,
});
const drawing = `BT /F1 12 Tf 72 700 Td (${words}) Tj ET`;
const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj
4 0 obj<</Length ${String(drawing.length)}>>stream
${drawing}
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
`;
const cue = `00:00:01.000 --> 00:00:03.000\n${words}\n`;
const page = `<!doctype html><html><head><title>Noon</title></head><body><p>${words}</p></body></html>`;
const xhtml = `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>Noon</title></head><body><p>${words}</p></body></html>`;

const contents: Readonly<Record<string, string | Buffer>> = {
  ".txt": words,
  ".md": `# Noon\n\n${words}\n`,
  ".markdown": `# Noon\n\n${words}\n`,
  ".html": page,
  ".htm": page,
  ".xhtml": xhtml,
  ".docx": word,
  ".docm": word,
  ".pdf": pdf,
  ".srt": `1\n${cue.replaceAll(".000", ",000")}`,
  ".vtt": `WEBVTT\n\n${cue}`,
  ".fountain": `ANNA\n${words}\n\nBEN\nIt did.\n\nANNA\nIt did not wait.\n\nBEN\nNo.\n`,
};
const script = ".fountain"; // subtitles that name nobody are a text

/** Opens the address that `serve` prints in a browser that has never been there. */
async function firstVisit(browser: Browser, server: Server): Promise<Page> {
  const context = await browser.newContext();
  const page = await context.newPage();
  watch(page, server);
  await page.goto(`${server.url}/#token=${server.token}`);
  await expect(paper(page)).toBeVisible();
  return page;
}

test("each kind of text file opens on the first page of a newcomer", async ({ browser, server }) => {
  test.slow(); // a page for each kind
  for (const kind of fileTypes.split(",")) {
    const page = await firstVisit(browser, server);
    const bytes = kind === ".epub" ? await readFile("../backend/extract/testdata/div-paras.epub") : contents[kind];
    await dropFiles(page, [{ name: `noon${kind.toUpperCase()}`, type: "", bytes: Buffer.from(bytes ?? "") }]);
    if (kind === script) {
      await expect(page.getByRole("textbox", { name: /^Turn 1,/ }), kind).toHaveValue(words);
      expect(page.url(), kind).toContain("#/script");
    } else await expect(paper(page), kind).toContainText(kind === ".epub" ? /\w+/ : words);
    await expect(page.getByText(/can’t be dropped/), kind).toHaveCount(0);
    await page.context().close();
  }
});

test("so do audio and video in Transcribe, and other files say where files belong", async ({ browser, server }) => {
  const sounds = [
    { name: "talk.wav", type: "audio/wav" },
    { name: "TALK.MP3", type: "" },
    { name: "clip.mkv", type: "" },
    { name: "clip", type: "video/mp4" },
  ];
  for (const sound of sounds) {
    const page = await firstVisit(browser, server);
    await dropFiles(page, [{ ...sound, bytes: Buffer.from("RIFF") }]);
    await expect(page.getByRole("heading", { level: 1, name: "Transcribe" }), sound.name).toBeVisible();
    await page.context().close();
  }
});

test("every part of the page is in Studio at an address that no screen has", async ({ browser, server }) => {
  const page = await firstVisit(browser, server);
  for (const hash of ["", "#/nothing/here", `#token=${server.token}`]) {
    await page.goto(`${server.url}/${hash}`);
    await expect(page.getByRole("link", { name: "Studio" }), hash).toHaveAttribute("aria-current", "page");
    await expect(page, hash).toHaveTitle(/Studio - Voicewright$/);
    await dropFiles(page, [
      { name: "noon.txt", type: "text/plain", bytes: Buffer.from(`${words} ${hash.slice(0, 9)}`) },
    ]);
    await expect(paper(page), hash).toContainText(`${words} ${hash.slice(0, 9)}`.trim());
    await page.keyboard.press("Escape");
  }
  expect(page.url()).not.toContain(server.token);
  await page.context().close();
});
