import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { aDraft, aProfile, aSegment, aTranscript, page, reply, type Handler } from "@/test";
import { fakeWindow, openOne } from "../testKit";
import { castOf } from "./voices";

beforeEach(fakeWindow);

const heart = aProfile({ name: "Heart", language: "en-US" });
const anna = aProfile({ name: "anna", language: "de" });
const adam = aProfile({ name: "Adam", language: "en-GB" });
const hosted = aProfile({ name: "Rachel", language: "en-US", voice_type: "hosted" });
const voices = [hosted, heart, anna, adam];
const speaker = (name: string, lines = 1) => ({ name, lines, seconds: 10 * lines, suggestion: null });
const interview = aTranscript({
  speakers: [speaker("Anna", 2), speaker("Ben")],
  segments: ["Anna", "Ben", "Anna"].map((name, i) =>
    aSegment({ id: i + 1, start: i * 10, end: i * 10 + 10, text: `Line ${i + 1}.`, speaker: name, paragraph: true }),
  ),
});

it("casts each speaker: as chosen, else by name, else with a voice of the language that nobody has", () => {
  const cast = (chosen: [string, string][] = []) => Object.fromEntries(castOf(interview, voices, new Map(chosen)));
  expect(cast()).toEqual({ Anna: anna.id, Ben: heart.id });
  expect(cast([["Anna", heart.id]])).toEqual({ Anna: heart.id, Ben: adam.id });
  const paid = { ...interview, speakers: [speaker("Rachel"), speaker("Ben")] };
  expect(Object.fromEntries(castOf(paid, voices, new Map()))).toEqual({ Rachel: hosted.id, Ben: heart.id });
  expect(castOf(interview, [], new Map())).toEqual(new Map());
  const german = { ...interview, language: "de", speakers: [speaker("Speaker 1"), speaker("Speaker 2")] };
  expect(castOf(german, voices, new Map()).get("Speaker 1")).toBe(anna.id);
});

function open(routes: Record<string, Handler> = {}, transcript = interview) {
  return openOne(transcript, {
    "GET /profiles": page(voices),
    "POST /transcriptions/{id}/script": reply(201, { items: [aDraft({ id: "part1" }), aDraft({ id: "part2" })] }),
    ...routes,
  });
}
const dialog = () => screen.findByRole("dialog", { name: "Make a script" });

it("makes a script with the voices that are shown, and opens its first part", async () => {
  const { user, api, given } = open();
  await user.click(await screen.findByRole("button", { name: "Make a script…" }));
  const box = within(await dialog());
  await box.findByRole("button", { name: /^Voice of Anna: anna, German/ });
  expect(box.getByRole("button", { name: /^Voice of Ben: Heart, / })).toBeVisible();
  expect(box.getByText("0:20, 2 lines")).toBeVisible();
  await user.click(box.getByRole("button", { name: "Make script" }));
  await waitFor(() => expect(location.hash).toBe("#/script/part1"));
  expect(api.to("POST /transcriptions/{id}/script")[0]).toMatchObject({
    params: { id: given.id },
    body: { voices: { Anna: anna.id, Ben: heart.id } },
  });
  expect(screen.getByText("The script is long, so 2 drafts were made. This is the first one.")).toBeVisible();
});

it("says why no script could be made, and keeps the cast", async () => {
  const { user } = open({
    "POST /transcriptions/{id}/script": reply(404, { code: "profile_not_found", detail: "x", remedy: "y", params: {} }),
  });
  await user.click(await screen.findByRole("button", { name: "Make a script…" }));
  const box = within(await dialog());
  await box.findByRole("button", { name: /^Voice of Anna/ });
  await user.click(box.getByRole("button", { name: "Make script" }));
  await box.findByRole("alert");
  expect(box.getByRole("button", { name: "Make script" })).toBeEnabled();
  expect(location.hash).toMatch(/^#\/transcribe/);
});

it("says how a transcript gets speakers where it has none", async () => {
  const { user } = open({}, aTranscript());
  await user.click(await screen.findByRole("button", { name: "Make a script…" }));
  const box = within(await dialog());
  expect(box.getByText(/This transcript has no speakers yet/)).toBeVisible();
  expect(box.queryByRole("button", { name: "Make script" })).toBeNull();
});
