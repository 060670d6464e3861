import { expect, it } from "vitest";
import { parsePasted } from "./parse";

const turns = (text: string) =>
  parsePasted(text)?.lines.map((line) => [line.name, line.text, ...(line.directions ?? [])]) ?? null;

it("takes a title line first", () => {
  expect(parsePasted("The Lighthouse\n\nAnna: Hello.\nBen: Yes.")).toMatchObject({ title: "The Lighthouse", left: [] });
  expect(parsePasted("# The Lighthouse\nAnna: Hello.\nBen: Yes.")?.title).toBe("The Lighthouse");
  expect(parsePasted("Title: The Lighthouse\nAnna: Hello.\nBen: Yes.")?.title).toBe("The Lighthouse");
});

it("asks about lines before the first speaker, and leaves texts in which a name comes late", () => {
  const play = "Anna: Good evening.\nBen: Good evening to you.";
  expect(parsePasted(`The Lighthouse\nBy Some Author\n\n${play}`)).toMatchObject({
    title: "The Lighthouse",
    left: ["By Some Author"],
    doubtful: ["Anna: Good evening.", "Ben: Good evening to you."],
  });
  expect(parsePasted(`It is a play.\n${play}`)?.left).toEqual(["It is a play."]);
  expect(turns(`One.\nTwo.\nThree.\nFour.\nFive.\n${play}`)).toBeNull();
  expect(parsePasted(`The Lighthouse: A Play\n${play}`)?.doubtful).toEqual(["The Lighthouse: A Play"]);
  expect(parsePasted(`Narrator: It is late.\n${play}`)?.doubtful).toEqual([]);
});

it("takes the transcript of a meeting, with the time beside the name", () => {
  const two = [
    ["Anna Smith", "Hello there."],
    ["Ben", "Hi Anna. It is late."],
    ["Anna Smith", "Bye."],
  ];
  for (const [first, second, third] of [
    ["Anna Smith 00:12", "Ben 00:15", "Anna Smith 00:20"],
    ["Anna Smith   0:03", "Ben   1:00:05", "Anna Smith   1:10:00"],
    ["Anna Smith [00:12]", "Ben (0:15)", "Anna Smith, 10:30 AM"],
    ["00:12 Anna Smith", "[00:15] Ben", "00:20 - Anna Smith"],
  ])
    expect(turns(`${first}\nHello there.\n\n${second}\nHi Anna.\nIt is late.\n\n${third}\nBye.`)).toEqual(two);
  expect(turns("We met at 10:30\nIt was cold.\n\nThe train left at 11:00\nWe ran.")).toBeNull();
});

it("takes a single line of a speaker of the cast, and asks about another one", () => {
  expect(parsePasted("ben: one more line.", ["Anna", "Ben"])).toMatchObject({
    lines: [{ name: "ben", text: "one more line." }],
    doubtful: [],
  });
  for (const line of ["Anna: Just this one line.", "[00:12] Anna: Just this one line."])
    expect(parsePasted(line)).toMatchObject({
      lines: [{ name: "Anna", text: "Just this one line." }],
      doubtful: ["Anna: Just this one line."],
    });
  expect(parsePasted("BEN (laughing): Hi!")?.lines).toEqual([{ name: "BEN", text: "Hi!", directions: ["laughing"] }]);
  for (const line of [
    "Remember: the keys are here.",
    "Note: Bring a coat.",
    "10:30: We left.",
    "One thing is certain about it: We left.",
    "It costs 3: 50 cents more.",
    "https://example.org/: A page.",
  ])
    expect(parsePasted(line, ["Anna"]), line).toBeNull();
});

it("takes times and stage directions", () => {
  expect(turns("[00:12] Anna: Hi.\n00:14:03 Ben: Hello.\n(0:20 - 0:25) Anna (00:20): Bye.")).toEqual([
    ["Anna", "Hi."],
    ["Ben", "Hello."],
    ["Anna", "Bye."],
  ]);
  expect(turns("BEN (laughing): Hi!\n**Anna** [quietly]: Hello.")).toEqual([
    ["BEN", "Hi!", "laughing"],
    ["Anna", "Hello.", "quietly"],
  ]);
  expect(parsePasted("Anna: Hi.\n(They wait.)\nBen: Hello.\nINT. HOUSE - DAY")?.left).toEqual([
    "(They wait.)",
    "INT. HOUSE - DAY",
  ]);
  expect(turns("12:30 lunch\n13:00 work")).toBeNull();
});

it("takes a dialogue on a single line", () => {
  expect(turns("Anna: Hi. How are you? Ben (laughing): Hello. Anna: Bye.")).toEqual([
    ["Anna", "Hi. How are you?"],
    ["Ben", "Hello.", "laughing"],
    ["Anna", "Bye."],
  ]);
  expect(turns("Anna Maria: At 12:30. Dr Ben: Yes: now.")).toEqual([
    ["Anna Maria", "At 12:30."],
    ["Dr Ben", "Yes: now."],
  ]);
  expect(turns("It was late: very late.")).toBeNull();
});

it("takes a screenplay, and shows what is not spoken", () => {
  const found = parsePasted(
    "Title: Night\nAuthor: A. Writer\n\nINT. HOUSE - NIGHT\n\nAnna waits.\n\nANNA (V.O.)\n(quietly)\nWho is there?\nAnswer me.\n\n@McBEN\nNobody.\n\nCUT TO:\n\nANNA (CONT'D)\nGood.",
  );
  expect(found).toEqual({
    title: "Night",
    lines: [
      { name: "ANNA", text: "Who is there? Answer me.", directions: ["quietly"] },
      { name: "McBEN", text: "Nobody." },
      { name: "ANNA", text: "Good." },
    ],
    left: ["Author: A. Writer", "INT. HOUSE - NIGHT", "Anna waits.", "CUT TO:"],
    doubtful: [],
  });
});

it("takes no speaker from words such as Note, and shows those lines of a dialogue", () => {
  for (const prose of [
    "Note: bring a coat.\nIt will rain.\nWarning: the path is slippery.",
    "PS: Call me.\nP.S.: Or write.\nRe: your letter",
    "Chapter 1: The Storm\nIt rained.\nChapter Two: The Calm\nIt stopped.",
    "Hinweis: Zieh dich warm an.\nEs regnet.\nAchtung: Es ist glatt.\nz. B.: hier",
    "Note: bring a coat. Warning: it rains.",
    "CHAPTER ONE\nIt rained.\n\nCHAPTER TWO\nIt stopped.",
  ])
    expect(turns(prose), prose).toBeNull();
  expect(parsePasted("Anna: Hello.\nNote: She waits.\nBen: Yes.")).toMatchObject({
    lines: [
      { name: "Anna", text: "Hello." },
      { name: "Ben", text: "Yes." },
    ],
    left: ["Note: She waits."],
  });
});

it("doubts a speaker who speaks once among prose", () => {
  const doubtful = (text: string) => parsePasted(text)?.doubtful;
  expect(doubtful("My plan: we go.\nIt rained all day.\nThe result (sad): nothing.")).toEqual([
    "My plan: we go. It rained all day.",
    "The result (sad): nothing.",
  ]);
  expect(doubtful("Anna: Hi.\nAre you there?\nBen: Yes.\nanna: Good.")).toEqual(["Ben: Yes."]);
  expect(doubtful("Anna: Hi.\nBen: Yes.\n(They wait.)\nClara: Good.")).toEqual([]);
  expect(doubtful("Result: none. Reason: the storm.")).toEqual(["Result: none.", "Reason: the storm."]);
  expect(doubtful("Anna: Hi. Ben: Hello. Anna: Bye.")).toEqual([]);
  expect(doubtful("THE STORM\nIt rained.\n\nTHE CALM\nIt stopped.")).toEqual([
    "THE STORM: It rained.",
    "THE CALM: It stopped.",
  ]);
});

it("takes subtitles with speakers", () => {
  expect(
    turns(
      "WEBVTT - Night\n\nNOTE by hand\n\n1\n00:00.000 --> 00:02.000\n<v Anna Maria>Who is</v>\n\n00:02.000 --> 00:03.000\n<v Anna Maria>there?</v>\n<v.loud Ben><i>Nobody.</i></v>",
    ),
  ).toEqual([
    ["Anna Maria", "Who is there?"],
    ["Ben", "Nobody."],
  ]);
  const srt = parsePasted(
    "1\r\n00:00:00,000 --> 00:00:02,000\r\n{\\an8}- Anna: Who is there?\r\n- Ben: Nobody\r\n\r\n2\r\n00:00:02,500 --> 00:00:04,000\r\nat all.",
  );
  expect(srt).toEqual({
    title: "",
    lines: [
      { name: "Anna", text: "Who is there?" },
      { name: "Ben", text: "Nobody at all." },
    ],
    left: [],
    doubtful: [],
  });
  expect(
    parsePasted("1\n00:00:00,000 --> 00:00:02,000\nNo name.\n\n2\n00:00:03,000 --> 00:00:04,000\nNone."),
  ).toBeNull();
});

it("reads the names and words of exported subtitles", () => {
  const vtt =
    "WEBVTT\n\n00:00:00.000 --> 00:00:02.235\n<v Tom &amp; Jo>Salt &amp; pepper is &lt; sugar.\n\n00:00:02.535 --> 00:00:03.218\n<v Ben>Yes, &amp;lt; that.\n";
  const spoken = [
    ["Tom & Jo", "Salt & pepper is < sugar."],
    ["Ben", "Yes, &lt; that."],
  ];
  expect(turns(vtt)).toEqual(spoken);
  expect(turns(`\ufeff${vtt}`)).toEqual(spoken);
  const cue = (line: string) => turns(`WEBVTT\n\n00:01.000 --> 00:02.000\n<v Anna>${line}</v>`)?.[0]?.[1];
  expect(cue("Hello &#38; <i>wel</i>come&nbsp;&#x22;you&quot;. AT&T &copy; &#xd800;&#1114112;")).toBe(
    'Hello & welcome "you". AT&T &copy; \ufffd\ufffd',
  );
  expect(turns(`1\n00:00:00,000 --> 00:00:02,000\nAnna: Salt &amp; sugar.`)).toEqual([["Anna", "Salt &amp; sugar."]]);
});

/** Returns a number generator with a seed (Mulberry32). */
function random(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % max;
  };
}

it("loses no word of odd texts", () => {
  const pieces = [
    "Anna: ",
    "BEN",
    "BEN (aside)",
    "\n",
    "\n\n",
    "word",
    "Word. ",
    "(softly)",
    "[00:12] ",
    "00:01 --> 00:02",
    "- ",
    "INT. ROOM",
    ":",
    "：",
    "**",
    "*",
    "(",
    ")",
    "[",
    "]",
    "<v Anna>",
    "</v>",
    "@Mac",
    "Title: ",
    "# ",
    "12:30",
    "ünï",
    "猫",
    "…",
    "\t",
    "\u00a0",
    "~ ",
    ". ",
  ];
  const words = (text: string): string[] =>
    text
      .replaceAll("</v>", "")
      .replace(/<v ([^<>]*)>/g, " $1 ")
      .match(/\p{L}+/gu) ?? [];
  const starts = [
    "",
    "Anna: One.\nBen: two.\n",
    "WEBVTT\n\n00:01.000 --> 00:02.000\nAnna: One.\n",
    "INT. ROOM\n\nBEN\nOne.\n\n",
  ];
  let found = 0;
  for (let seed = 0; seed < 2000; seed += 1) {
    const next = random(seed);
    const text = starts[seed % 4] + Array.from({ length: 3 + next(30) }, () => pieces[next(pieces.length)]).join("");
    const pasted = parsePasted(text);
    if (!pasted) continue;
    found += 1;
    const kept = [
      pasted.title,
      ...pasted.left,
      ...pasted.lines.flatMap((l) => [l.name, l.text, ...(l.directions ?? [])]),
    ];
    const keptWords = words(kept.join("\n"));
    // A speaker is named once for a turn of several cues, and a title has a key.
    const missing = words(text).filter(
      (word) => !["Title", "Anna", "WEBVTT"].includes(word) && !keptWords.includes(word),
    );
    expect(missing, JSON.stringify(text)).toEqual([]);
  }
  expect(found).toBeGreaterThan(300);
});

it("answers at once for long odd lines", () => {
  const start = performance.now();
  for (const odd of [" ", "*", "(", "A ", "A", "-", "[00:12] ", "<v ", "Anna: ", "{\\", "\n", "A. ", "'"])
    for (const end of ["", ":", "\nB: x\nC: y"]) parsePasted(`A${odd.repeat(20_000)}${end}`);
  expect(performance.now() - start).toBeLessThan(10_000);
});
