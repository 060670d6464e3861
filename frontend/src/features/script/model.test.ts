import { describe, expect, it } from "vitest";
import { aGeneration, aProfile } from "@/test";
import { insertDialogue } from "./dialogue";
import { parsePasted } from "./pasted/parse";
import { joinedSound } from "@/api/scripts";
import { parseScript } from "./scriptStore";
import { joinPeaks } from "@/player/peaks";
import {
  cycleSpeaker,
  emptyScript,
  fileNames,
  joinTurn,
  newSpeaker,
  removeSpeaker,
  setText,
  soundOf,
  splitTurn,
  takesOf,
  type ScriptContent,
} from "./model";

const start = (): ScriptContent => emptyScript(["Host", "Guest"], "voice-1");
const first = (script: ScriptContent) => script.turns[0] as ScriptContent["turns"][number];

describe("keys", () => {
  it("cycles through the cast and back", () => {
    const script = start();
    const [host, guest] = script.speakers;
    const once = cycleSpeaker(script, first(script).id, 1);
    expect(first(once).speakerId).toBe(guest?.id);
    expect(first(cycleSpeaker(once, first(once).id, 1)).speakerId).toBe(host?.id);
    expect(first(cycleSpeaker(script, first(script).id, -1)).speakerId).toBe(guest?.id);
  });
  it("assigns the next turn to the other speaker, and keeps the speaker when a turn is split", () => {
    const script = setText(start(), first(start()).id, "");
    const written = setText(script, first(script).id, "One. Two.");
    const atEnd = splitTurn(written, first(written).id, 9).script;
    expect(atEnd.turns.map((t) => t.text)).toEqual(["One. Two.", ""]);
    expect(atEnd.turns[1]?.speakerId).toBe(written.speakers[1]?.id);
    const inside = splitTurn(written, first(written).id, 5).script;
    expect(inside.turns.map((t) => t.text)).toEqual(["One.", "Two."]);
    expect(inside.turns[1]?.speakerId).toBe(first(written).speakerId);
  });
  it("joins a turn with the previous one", () => {
    const cut = splitTurn(setText(start(), "", ""), "", 0).script;
    expect(joinTurn(cut, first(cut).id)).toBeNull();
    const base = start();
    const two = splitTurn(setText(base, first(base).id, "One. Two."), first(base).id, 5).script;
    const joined = joinTurn(two, two.turns[1]?.id ?? "");
    expect(joined?.script.turns.map((t) => t.text)).toEqual(["One. Two."]);
    expect(joined?.caret).toBe(5);
  });
});

describe("a pasted dialogue", () => {
  it("becomes turns; lines without a name continue the previous one", () => {
    expect(parsePasted("Anna: Hello.\nAre you there?\n\nBen: Yes.")?.lines).toEqual([
      { name: "Anna", text: "Hello. Are you there?" },
      { name: "Ben", text: "Yes." },
    ]);
  });
  it("is not detected in prose, times or addresses", () => {
    expect(parsePasted("It was late: very late.")).toBeNull();
    expect(parsePasted("12:30 lunch\n13:00 work")).toBeNull();
    expect(parsePasted("https://a.example\nhttps://b.example")).toBeNull();
  });
  it("maps names to voices of that name, and gives others an unused voice and hue", () => {
    const anna = aProfile({ name: "Änna" });
    const other = aProfile({ name: "Zed" });
    const script = start();
    const { script: next } = insertDialogue(
      script,
      first(script).id,
      parsePasted("Anna: Hello.\nBen: Yes.\nanna: Good.")?.lines ?? [],
      [other, anna],
      () => false,
    );
    expect(next.speakers.map((s) => [s.name, s.profileId, s.hue])).toEqual([
      ["Anna", anna.id, 1],
      ["Ben", other.id, 2],
    ]);
    expect(next.turns.map((t) => t.text)).toEqual(["Hello.", "Yes.", "Good."]);
    expect(next.turns[2]?.speakerId).toBe(next.turns[0]?.speakerId);
  });
  it("is inserted after a turn with text, and keeps the cast", () => {
    const base = start();
    const script = setText(base, first(base).id, "Before.");
    const { script: next } = insertDialogue(
      script,
      first(script).id,
      [
        { name: "host", text: "A" },
        { name: "New", text: "B" },
      ],
      [],
      () => false,
    );
    expect(next.turns.map((t) => t.text)).toEqual(["Before.", "A", "B"]);
    expect(next.speakers).toHaveLength(3);
  });
});

describe("a script", () => {
  it("is parsed from a draft, and a draft of another kind is not one", () => {
    expect(parseScript({ kind: "text" })).toBeNull();
    expect(parseScript({ ...start() })).not.toBeNull();
    expect(
      parseScript({ ...start(), turns: [{ id: "a", speakerId: "gone", text: "" }] })?.turns[0]?.speakerId,
    ).toBeTruthy();
  });
  it("detects audio that is older than its text or voice", () => {
    const script = start();
    const turn = {
      ...first(script),
      text: "Hello.",
      spoken: { generationId: "g", text: "Hello.", profileId: "voice-1" },
    };
    expect(soundOf(script, turn)).toBe("made");
    expect(soundOf(script, { ...turn, text: "Hello!" })).toBe("changed");
    expect(soundOf({ ...script, speakers: script.speakers.map((s) => ({ ...s, profileId: "voice-2" })) }, turn)).toBe(
      "changed",
    );
    expect(soundOf(script, { ...turn, spoken: undefined })).toBe("none");
  });
  it("moves the turns of a removed speaker to another, and keeps the last speaker", () => {
    const script = start();
    const next = removeSpeaker(script, script.speakers[0]?.id ?? "");
    expect(first(next).speakerId).toBe(next.speakers[0]?.id);
    expect(removeSpeaker(next, next.speakers[0]?.id ?? "")).toBe(next);
  });
  it("assigns each speaker the least used hue", () => {
    let cast = start().speakers;
    for (let i = 0; i < 7; i += 1) cast = [...cast, newSpeaker(cast, "x", "")];
    expect(cast.map((s) => s.hue)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 1]);
  });
});

describe("the joined file", () => {
  const turns = [aGeneration({ duration: 2 }), aGeneration({ duration: 1 })];
  const script = {
    id: "s",
    title: "T",
    gap_ms: 500,
    audio_path: "",
    audio_url: "/audio/s",
    duration: 3.5,
    sample_rate: 1,
    created_at: "",
    updated_at: "",
    can_undo: false,
    speakers: [],
    receipt: null,
    turns,
  };
  it("is played as one audio with a chunk for each turn", () => {
    expect(joinedSound(script)?.chunks.map((c) => [c.start, c.end])).toEqual([
      [0, 2],
      [2.5, 3.5],
    ]);
    expect(joinedSound({ ...script, audio_url: "" })).toBeNull();
  });
  it("has the waveforms of its turns with silence between", () => {
    const peaks = joinPeaks(
      [
        { peaks: [[-1, 1]], seconds: 2 },
        { peaks: [[-2, 2]], seconds: 1 },
      ],
      1,
      4,
    );
    expect(peaks).toEqual([
      [-1, 1],
      [-1, 1],
      [0, 0],
      [-2, 2],
    ]);
  });
  it("has turns whose files are named by number, speaker and words", () => {
    const base = setText(start(), first(start()).id, "");
    const made = aGeneration({ text: "Who is there, and what do you want?" });
    const turn = {
      ...first(base),
      text: made.text,
      spoken: { generationId: made.id, text: made.text, profileId: "voice-1" },
    };
    expect(fileNames({ ...base, turns: [turn] }, [made])).toEqual(["1 Host Who is there, and what do"]);
  });
  it("is outdated after a new take", () => {
    const other = turns.map((g) => ({ ...g, chunks: g.chunks.map((c) => ({ ...c, take: 1 })) }));
    expect(takesOf(other)).not.toBe(takesOf(turns));
  });
});
