import { zip } from "./zip";

/** A chapter; its paragraphs may have tags. */
export interface Chapter {
  title: string;
  paragraphs: readonly string[];
}

/** Returns an EPUB file with a chapter in each of its documents. */
export function epub(title: string, author: string, chapters: readonly Chapter[]): Buffer {
  const name = (i: number) => `chapter-${String(i + 1)}.xhtml`;
  const page = (head: string, body: string) =>
    `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>${head}</title></head><body>${body}</body></html>`;
  const documents = chapters.map(({ title: heading, paragraphs }, i) => [
    name(i),
    page(heading, `<h1>${heading}</h1>${paragraphs.map((text) => `<p>${text}</p>`).join("")}`),
  ]);
  const links = chapters.map(({ title: heading }, i) => `<li><a href="${name(i)}">${heading}</a></li>`).join("");
  const items = chapters.map(
    (_, i) => `<item id="c${String(i)}" href="${name(i)}" media-type="application/xhtml+xml"/>`,
  );
  const spine = chapters.map((_, i) => `<itemref idref="c${String(i)}"/>`).join("");
  return zip({
    mimetype: "application/epub+zip",
    "META-INF/container.xml": `<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
    "book.opf": `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">urn:uuid:00000000-0000-4000-8000-000000000001</dc:identifier><dc:title>${title}</dc:title><dc:creator>${author}</dc:creator><dc:language>en</dc:language></metadata><manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>${items.join("")}</manifest><spine>${spine}</spine></package>`,
    "nav.xhtml": page("Contents", `<nav epub:type="toc"><ol>${links}</ol></nav>`),
    ...Object.fromEntries(documents),
  });
}
