import { expect, it, test } from "vitest";
import { parsePasted } from "./parse";

const turns = (text: string) => parsePasted(text)?.lines.map(({ name, text: words }) => [name, words]) ?? null;

const two = [
  ["Anna", "Hi, Ben: welcome."],
  ["Ben", "Hello - at last."],
  ["Anna", "Bye."],
];

test.each([
  ["colon", "Anna: Hi, Ben: welcome.\nBen: Hello - at last.\nAnna: Bye."],
  ["hyphen", "Anna - Hi, Ben: welcome.\nBen - Hello - at last.\nAnna - Bye."],
  ["two hyphens", "Anna -- Hi, Ben: welcome.\nBen -- Hello - at last.\nAnna -- Bye."],
  ["em dash", "Anna — Hi, Ben: welcome.\nBen — Hello - at last.\nAnna — Bye."],
  ["en dash", "Anna – Hi, Ben: welcome.\n\nBen – Hello - at last.\n\nAnna – Bye."],
  ["a dash without a space before it", "Anna— Hi, Ben: welcome.\nBen— Hello - at last.\nAnna— Bye."],
  ["a rule between turns", "Anna: Hi, Ben: welcome.\n\n---\n\nBen: Hello - at last.\n***\nAnna: Bye."],
  ["voice tags below a header", "WEBVTT\n\n<v Anna>Hi, Ben: welcome.\n<v Ben>Hello - at last.\n<v Anna>Bye."],
  ["bold and a dash", "**Anna** - Hi, Ben: welcome.\n**Ben** - Hello - at last.\n**Anna** - Bye."],
  ["a list with dashes", "- Anna - Hi, Ben: welcome.\n- Ben - Hello - at last.\n- Anna - Bye."],
  ["tab", "Anna\tHi, Ben: welcome.\nBen\tHello - at last.\nAnna\tBye."],
  ["time and tab", "00:01\tAnna\tHi, Ben: welcome.\n00:04\tBen\tHello - at last.\n00:09\tAnna\tBye."],
  ["colon and tab", "Anna:\tHi, Ben: welcome.\nBen:\tHello - at last.\nAnna:\tBye."],
  ["numbers", "1. Anna: Hi, Ben: welcome.\n2. Ben: Hello - at last.\n3. Anna: Bye."],
  ["numbers with a parenthesis", "1) Anna: Hi, Ben: welcome.\n2) Ben: Hello - at last.\n(3) Anna: Bye."],
  ["numbers and dashes", "1. Anna - Hi, Ben: welcome.\n2. Ben - Hello - at last.\n3. Anna - Bye."],
  ["square brackets", "[Anna] Hi, Ben: welcome.\n[Ben] Hello - at last.\n[Anna] Bye."],
  ["square brackets and a colon", "[Anna]: Hi, Ben: welcome.\n[Ben]: Hello - at last.\n[Anna]: Bye."],
  ["angle brackets of a chat", "<Anna> Hi, Ben: welcome.\n<Ben> Hello - at last.\n<Anna> Bye."],
  ["a quotation", "> Anna: Hi, Ben: welcome.\n>\n> Ben: Hello - at last.\n>\n> Anna: Bye."],
  ["a quotation in a quotation", ">> Anna: Hi, Ben: welcome.\n>> Ben: Hello - at last.\n> > Anna: Bye."],
  ["underscores", "__Anna__: Hi, Ben: welcome.\n__Ben:__ Hello - at last.\n_Anna_: Bye."],
  ["voice tags", "<v Anna>Hi, Ben: welcome.\n<v Ben>Hello - at last.\n<v Anna>Bye."],
  ["closed voice tags", "<v.loud Anna>Hi, Ben: welcome.</v>\n<v Ben><i>Hello</i> - at last.</v>\n<v.a.b Anna>Bye.</v>"],
  ["voice tags in one line", "<v Anna>Hi, Ben: welcome.</v> <v Ben>Hello - at last.</v><v Anna>Bye.</v>"],
  ["CSV", 'speaker,text\nAnna,"Hi, Ben: welcome."\nBen,Hello - at last.\nAnna,Bye.\n'],
  [
    "CSV of Windows",
    '\ufeff"Speaker","Text"\r\n"Anna","Hi, Ben: welcome."\r\n"Ben","Hello - at last."\r\n"Anna","Bye."\r\n',
  ],
  ["CSV in German", 'Sprecher;Text\nAnna;Hi, Ben: welcome.\nBen;"Hello - at last."\nAnna;Bye.'],
  ["CSV without quotes", "Name,Line\nAnna,Hi, Ben: welcome.\nBen,Hello - at last.\nAnna,Bye."],
  ["CSV without a header", 'Anna,"Hi, Ben: welcome."\nBen,Hello - at last.\nAnna,Bye.'],
  ["semicolons without a header", "Anna;Hi, Ben: welcome.\nBen;Hello - at last.\nAnna;Bye."],
  ["a table with tabs", "Rolle\tText\nAnna\tHi, Ben: welcome.\nBen\tHello - at last.\nAnna\tBye."],
  ["columns in another order", 'text,speaker\n"Hi, Ben: welcome.",Anna\nHello - at last.,Ben\nBye.,Anna'],
  ["asterisks of a list", "* Anna: Hi, Ben: welcome.\n* **Ben:** Hello - at last.\n* Anna: Bye."],
  ["plus signs of a list", "+ Anna: Hi, Ben: welcome.\n+ [Ben]: Hello - at last.\n+ Anna: Bye."],
  ["quoted brackets", "> [Anna] Hi, Ben: welcome.\n> [Ben] Hello - at last.\n> [Anna] Bye."],
  ["quoted tabs", "> Anna\tHi, Ben: welcome.\n> Ben\tHello - at last.\n> Anna\tBye."],
  ["quoted voice tags", "> <v Anna>Hi, Ben: welcome.\n> <v Ben>Hello - at last.\n> <v Anna>Bye."],
  ["numbers of rows", "1\tAnna\tHi, Ben: welcome.\n2.\tBen\tHello - at last.\n3)\tAnna\tBye."],
  ["asterisks and tabs", "* Anna\tHi, Ben: welcome.\n* Ben\tHello - at last.\n* Anna\tBye."],
  ["numbers and voice tags", "1. <v Anna>Hi, Ben: welcome.\n2. <v Ben>Hello - at last.\n3. <v Anna>Bye."],
  ["dashes and voice tags", "- <v Anna>Hi, Ben: welcome.\n- <v Ben>Hello - at last.\n- <v Anna>Bye."],
  ["bold names in a table", "speaker;text\n**Anna**;Hi, Ben: welcome.\n_Ben_;Hello - at last.\nAnna:;Bye."],
  ["carriage returns", "Anna - Hi, Ben: welcome.\r\nBen - Hello - at last.\rAnna - Bye."],
])("%s", (_, text) => {
  expect(parsePasted(text)).toMatchObject({ left: [], doubtful: [] });
  expect(turns(text)).toEqual(two);
});

test.each([
  ["Łukasz", "Łukasz: Cześć.\nÅsa: Hej.\nŁukasz: Tak.", ["Łukasz", "Åsa", "Łukasz"]],
  [
    "letters with marks of their own",
    "A\u030asa - Hej.\nBen - Hi.\nA\u030asa - Ja.",
    ["A\u030asa", "Ben", "A\u030asa"],
  ],
  ["a full-width colon", "李雷：你好。\n韩梅梅：你好！\n李雷：再见。", ["李雷", "韩梅梅", "李雷"]],
  ["Cyrillic and dashes", "Анна — Привет.\nБорис — Здравствуй.\nАнна — Пока.", ["Анна", "Борис", "Анна"]],
  ["Devanagari", "सीता: नमस्ते।\nराम: हाँ।\nसीता: चलो।", ["सीता", "राम", "सीता"]],
  ["titles", "Dr. Smith: Sit.\nMrs. O’Brien: Thanks.\nDr. Smith: Well.", ["Dr. Smith", "Mrs. O’Brien", "Dr. Smith"]],
  ["titles and dashes", "Dr. Smith - Sit.\nMr. Li - No.\nDr. Smith - Why?", ["Dr. Smith", "Mr. Li", "Dr. Smith"]],
  ["numbers", "Speaker 1: One.\nSpeaker 2: Two.\nSPEAKER #3: Three.", ["Speaker 1", "Speaker 2", "SPEAKER #3"]],
  ["several words", "Old Man - Yes.\nAnna von Berg - No.\nOld Man - Ah.", ["Old Man", "Anna von Berg", "Old Man"]],
  ["two together", "Tom & Jo: We won.\nBen: Who?\nTom & Jo: We did.", ["Tom & Jo", "Ben", "Tom & Jo"]],
])("names: %s", (_, text, names) => {
  expect(parsePasted(text)).toMatchObject({ left: [], doubtful: [] });
  expect(parsePasted(text)?.lines.map(({ name }) => name)).toEqual(names);
});

test.each([
  "He came - late, as ever.\nShe said nothing - she never did.",
  "He came - late.\nThey left - early.\nIt rained - all day.",
  "Well - I think so.\nNo - you don't.\nWell - we shall see.",
  "The storm came on Monday.\nAnna - the eldest - was late.\nBen stayed at home.",
  "Anna - the eldest - was late.\nBen - her brother - was not.",
  "I went home - alone. London - grey as ever - slept.",
  "Hello, world\nBye, world",
  "Paris, the city\nRome, the town\nParis, again",
  "Year\tRevenue\n2019\t3\n2020\t4",
  "Anna\t31\nBen\t29\nAnna\t30",
  "[laughs] Oh no.\n[sighs] Well.\n[laughs] Yes.",
  "[Music] It begins.\n[Applause] It ends.\n[Music] Again.",
  "Meet at 12:30.\n13:45: lunch\nhttps://example.org/a: b",
  "EPISODE 5: The Ledger\nIt rained.",
  "Chapter 1 - The Storm\nIt rained.\nChapter 2 - The Calm\nIt stopped.",
])("leaves other texts as they are: %s", (text) => {
  expect(turns(text)).toBeNull();
});

const play = "Anna: Hello.\nBen: Yes.\nAnna: Good.\nBen: Bye.";
test.each([
  "EPISODE 5: The Ledger",
  "CHAPTER 3: The Storm",
  "SCENE 2: A kitchen",
  "Part II: The Sea",
  "Act 1: Morning",
  "Kapitel 4: Der Sturm",
  "Folge 7: Das Kassenbuch",
  "Season 2, Episode 5: The Ledger",
  "Episode 12b: The Ledger",
  "Ep. 3: The Ledger",
  "Book One: The Ledger",
  "Erster Akt: Morgen",
  "The Second Act: Evening",
  "3. Akt: Abend",
  "Bonus Episode: The Ledger",
  "Prologue: The Sea",
  "Chapitre 2: La mer",
  "Глава 2: Море",
  "CHAPTER TWENTY: The Sea",
  "Chapter Thirty-One: The Sea",
  "Kapitel zwanzig: Das Meer",
  "Kapitel einundzwanzig: Das Meer",
  "S2E5: The Ledger",
  "S02 E05 - The Ledger",
  "EPISODE 5",
  "EPISODE 5 - The Ledger",
  "Kapitel 3 – Das Meer",
])("no speaker: %s", (heading) => {
  expect(parsePasted(`${heading}\n${play}`)).toMatchObject({ title: heading, left: [], doubtful: [] });
  const within = parsePasted(play.replace("Ben: Yes.", `Ben: Yes.\n${heading}`));
  expect(within?.left).toEqual([heading]);
  expect(within?.lines).toHaveLength(4);
});

test.each(["# Episode 6: Two", "**EPISODE 5: The Ledger**", "## **Part II**"])(
  "no speaker, without marks: %s",
  (heading) => {
    expect(parsePasted(`${heading}\n${play}`)).toMatchObject({ title: heading.replace(/[*#]+ ?/g, ""), doubtful: [] });
    const within = parsePasted(play.replace("Ben: Yes.", `Ben: Yes.\n${heading}`));
    expect(within).toMatchObject({ left: [heading], doubtful: [] });
    expect(within?.lines).toHaveLength(4);
  },
);

test.each([
  "*[Intro music]*",
  "00:12 [Intro music]",
  "[00:12] *[Intro music]*",
  "- [Intro music]",
  "2. *[Intro music]*",
  "> *[Intro music]*",
  "*[Intro music]* *[Door]*",
  "[Music] (Applause)",
  "*Intro music*",
  "_Door slams_",
  "(Intro music)",
  "[SFX: door]",
  "_[Music fades]_",
  "[Applause]",
  "**(They wait.)**",
  "[music]",
])("no words of the host: %s", (noise) => {
  const before = parsePasted(`${noise}\n${play}`);
  expect(before).toMatchObject({ title: "", left: [noise] });
  const within = parsePasted(play.replace("\n", `\n${noise}\n`));
  expect(within).toMatchObject({ left: [noise], doubtful: [] });
  expect(within?.lines[0]?.text).toBe("Hello.");
});

it("leaves out noise at the start or end of a turn, and keeps pauses and the tags of voices", () => {
  const found = parsePasted(
    "Anna: *[Intro music]* Hello.\nBen: Yes. [door slams]\nAnna: [whispers] Come.\n[pause 1s]\nBen: No.",
  );
  expect(found?.left).toEqual(["Anna: *[Intro music]*", "Ben: [door slams]"]);
  expect(found?.lines.map(({ text }) => text)).toEqual(["Hello.", "Yes.", "[whispers] Come. [pause 1s]", "No."]);
});

it("leaves out a turn that is noise alone, once", () => {
  expect(parsePasted("HOST: *[Intro music]*\nHOST: Welcome.\nGUEST: Thanks.")).toMatchObject({
    lines: [{ text: "Welcome." }, { text: "Thanks." }],
    left: ["HOST: *[Intro music]*"],
  });
});

it("doubts names that begin a sentence, and those of a list", () => {
  const doubtful = (text: string) => parsePasted(text)?.doubtful;
  expect(doubtful(`${play}\nRemember: The keys are here.`)).toEqual(["Remember: The keys are here."]);
  expect(doubtful("Monday - Rain\nTuesday - Snow\nFriday - Sun")).toHaveLength(3);
  expect(doubtful("1. Mixing: Take the flour.\n2. Baking: Wait.")).toHaveLength(2);
  expect(doubtful("Paris,France\nRome,Italy")).toEqual(["Paris,France", "Rome,Italy"]);
  expect(doubtful("Anna - Hi\nBen - Hello")).toEqual(["Anna - Hi", "Ben - Hello"]);
});

it("shows the cells of other columns, and joins rows without a speaker", () => {
  expect(
    parsePasted('time,speaker,text\n0:01,Anna,"Hi,\nall."\n0:02,,And more.\n0:03,Ben,"Say ""yes""."'),
  ).toMatchObject({
    lines: [
      { name: "Anna", text: "Hi, all. And more." },
      { name: "Ben", text: 'Say "yes".' },
    ],
    left: ["0:01", "0:02", "0:03"],
  });
});

const rows = (text: string) => ({ turns: turns(text), left: parsePasted(text)?.left });

it("reads the names of tables as those of lines", () => {
  for (const header of ["speaker,text\n", ""])
    expect(rows(`${header}EPISODE 5,The Ledger\nMusic,Intro\nAnna,Hi.\nSFX,Door slams.\nBen,Yes.\nAnna,Bye.`)).toEqual({
      turns: [
        ["Anna", "Hi."],
        ["Ben", "Yes."],
        ["Anna", "Bye."],
      ],
      left: ["EPISODE 5,The Ledger", "Music,Intro", "SFX,Door slams."],
    });
  expect(parsePasted("speaker,text\nAnna (laughing),Hi.\nBen,Yes.\nAnna,Bye.")?.lines[0]).toMatchObject({
    name: "Anna",
    text: "Hi.",
    directions: ["laughing"],
  });
});

test.each([
  ['Anna,"Hi.\nWell, then."\nBen,Yes.\nAnna,Bye.', ["Hi. Well, then.", "Yes.", "Bye."]],
  ['speaker\ttext\nAnna\t"Hi.\nBen\tYes.\nAnna\tBye.', ['"Hi.', "Yes.", "Bye."]],
  ['speaker,text\nAnna,"Hi" she said\nBen,"Yes" and "no"\nAnna,"Bye"', ['"Hi" she said', '"Yes" and "no"', "Bye"]],
  ['speaker,text\nAnna,Hi 5" nails\nBen,"Yes, ""so"""\nAnna,"Bye', ['Hi 5" nails', 'Yes, "so"', '"Bye']],
])("quotation marks in a table: %s", (text, words) => {
  expect(parsePasted(text)?.lines.map((line) => line.text)).toEqual(words);
  expect(parsePasted(text)?.title).toBe("");
});

test.each([
  "[Excited] We won!\n[Sad] They lost.\n[Excited] Again!",
  "[Angrily] Go!\n[Calm] No.\n[Angrily] Go!",
  "[Softly] Come.\n[Fröhlich] Ja.\n[Softly] Now.",
  "[Smith] https://example.org/a\n[Jones] www.example.org\n[Smith] <https://example.org/b>",
])("no names in brackets: %s", (text) => {
  expect(turns(text)).toBeNull();
});

test.each([
  ["Anna - well, that was fun - really\nBen - Ho\nAnna - Bye", ["well, that was fun - really", "Ho", "Bye"]],
  ["Anna - Hi\nBen - so - what\nAnna - Bye\nBen - Ho", ["Hi", "so - what", "Bye", "Ho"]],
  ["Anna\tHi\tthere you\nBen\tHo\nAnna\tBye", ["Hi there you", "Ho", "Bye"]],
])("a first turn is no title: %s", (text, words) => {
  expect(parsePasted(text)).toMatchObject({ title: "", left: [] });
  expect(parsePasted(text)?.lines.map((line) => line.text)).toEqual(words);
});

test("a sentence in brackets is spoken, and a second noise is not", () => {
  const words = (line: string) => parsePasted(`Anna: ${line}\nBen: Yes.\nAnna: Bye.`)?.lines[0]?.text;
  for (const line of [
    "I will be late. (My phone is dead, by the way.)",
    "I am late. (My phone died.)",
    "I am late (my phone died)",
    "(Is the door open?) Wait.",
  ])
    expect(words(line)).toBe(line);
  expect(words("[Music fades.] *[Door slams]* Hi there. (laughs) [Phone rings]")).toBe("Hi there.");
});

test("the header, notes and styles of WebVTT are no words", () => {
  const text =
    "WEBVTT - The Ledger\n\nNOTE by hand\nfor Anna\n\nSTYLE\n::cue { color: red }\n\n<v Anna>Write to <anna@example.org> now\n\n<v Ben>Yes.\n<v Anna>Bye.";
  expect(parsePasted(text)).toMatchObject({
    title: "The Ledger",
    left: ["NOTE by hand", "for Anna", "STYLE", "::cue { color: red }"],
  });
  expect(turns(text)).toEqual([
    ["Anna", "Write to <anna@example.org> now"],
    ["Ben", "Yes."],
    ["Anna", "Bye."],
  ]);
  expect(turns(`WEBVTT\n\n00:01.000 --> 00:02.000\n<v Anna>Write to <c.loud><anna@example.org></c> now`)).toEqual([
    ["Anna", "Write to <anna@example.org> now"],
  ]);
});
