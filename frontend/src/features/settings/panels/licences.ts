export interface LicenceTable { title: string; notes: string[]; rows: string[][] }

const plain = (text: string) => text.replaceAll("`", "").replace(/\[([^\]]+)]\([^)]+\)/g, "$1").trim();
const cells = (line: string) => line.split("|").slice(1, -1).map(plain);

/** Reads THIRD_PARTY.md: headings, sentences and tables; the first row of a table is its head. */
export function readLicences(markdown: string): LicenceTable[] {
  const tables: LicenceTable[] = [];
  for (const line of markdown.split("\n")) {
    const heading = /^##+ (.*)/.exec(line);
    const isTable = line.startsWith("|");
    const isNote = !isTable && !line.startsWith("#") && line.trim() !== "";
    if (heading) tables.push({ title: plain(heading[1] ?? ""), notes: [], rows: [] });
    else if (isNote && (tables.at(-1)?.rows.length ?? 0) > 0) tables.push({ title: "", notes: [plain(line)], rows: [] }); // words between two tables belong to the next
    else if (isNote) tables.at(-1)?.notes.push(plain(line));
    else if (isTable && !/^\|[\s|:-]+\|$/.test(line)) tables.at(-1)?.rows.push(cells(line));
  }
  return tables;
}
