export interface Section {
  title: string;
  notes: string[];
  rows: string[][];
}

const plain = (text: string) =>
  text
    .replaceAll("`", "")
    .replace(/\[([^\]]+)]\([^)]+\)/g, "$1")
    .trim();
const cells = (line: string) => line.split("|").slice(1, -1).map(plain);
const isRule = (line: string) => /^\|[\s|:-]+\|$/.test(line);

/** Parses THIRD_PARTY.md or docs/privacy.md: headings, paragraphs and tables; the first row of a table is its head. */
export function readDocument(markdown: string): Section[] {
  const sections: Section[] = [];
  const begin = (title = "") => {
    const section: Section = { title, notes: [], rows: [] };
    sections.push(section);
    return section;
  };
  for (const block of markdown.split(/\n\s*\n/)) {
    const text = block.trim();
    const heading = /^##+ (.*)/.exec(text);
    const last = sections.at(-1);
    if (heading) begin(plain(heading[1] ?? ""));
    else if (text.startsWith("|"))
      (last ?? begin()).rows.push(
        ...text
          .split("\n")
          .filter((line) => !isRule(line))
          .map(cells),
      );
    else if (text !== "" && !text.startsWith("#")) {
      const section = last && last.rows.length === 0 ? last : begin(); // text between two tables belongs to the next
      section.notes.push(plain(text.replaceAll("\n", " ")));
    }
  }
  return sections;
}
