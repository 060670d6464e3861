import { waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { fakeApi, renderWithProviders } from "@/test";
import { emptyScript, newSpeaker, type ScriptContent } from "./model";
import { useScriptLength } from "./useScriptLength";

const Length = ({ script }: { script: ScriptContent }) => <p data-testid="length">{String(useScriptLength(script))}</p>;

/** A script of these turns, each the voice and the text. */
function scriptOf(...turns: [string, string][]): ScriptContent {
  const voices = [...new Set(turns.map(([voice]) => voice))];
  const speakers = voices.map((voice) => newSpeaker([], voice, voice));
  return {
    ...emptyScript(["Host", "Guest"]),
    gapMs: 500,
    speakers,
    turns: turns.map(([voice, text], i) => ({
      id: `t${i}`,
      speakerId: speakers.find((s) => s.profileId === voice)?.id ?? "",
      text,
    })),
  };
}

it("estimates a script by the measured pace of each voice, with the silence between turns", async () => {
  const asked: object[] = [];
  fakeApi({
    "POST /text/preview": ({ body }: { body: { profile_id: string; text: string } }) => {
      asked.push(body);
      return { seconds: body.profile_id === "slow" ? 30 : 10, pauses: [], sentences: [], chunks: [] };
    },
  });
  const script = scriptOf(["slow", "One two."], ["quick", "Three."], ["slow", "Four five."]);
  const { getByTestId } = renderWithProviders(<Length script={script} />);
  await waitFor(() => expect(getByTestId("length")).toHaveTextContent("41"));
  expect(asked).toEqual([
    { profile_id: "slow", text: "One two. Four five." },
    { profile_id: "quick", text: "Three." },
  ]);
});

it.each([
  ["of letters", "a".repeat(145), "10"],
  ["of syllables", "語".repeat(45), "10"],
  ["of a word", "No.", "1"],
  ["without words", " … ", "null"],
])("estimates a text %s by how people read until the pace is known", (_, text, seconds) => {
  fakeApi({});
  const { getByTestId } = renderWithProviders(<Length script={scriptOf(["v", text])} />);
  expect(getByTestId("length")).toHaveTextContent(seconds);
});
