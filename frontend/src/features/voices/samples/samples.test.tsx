import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { Profile, Sample } from "@/api/types";
import { aModel, aProfile, aSample, fakeApi, page, renderWithProviders, reply, type Handler } from "@/test";
import { leaving } from "../library";
import Voices from "..";

const pocket = aModel({
  model_name: "pocket-en",
  display_name: "Pocket TTS English",
  engine: "pocket",
  languages: ["en"],
  cloning: true,
  downloaded: true,
});
const turbo = aModel({
  ...pocket,
  model_name: "chatterbox-turbo",
  display_name: "Chatterbox Turbo",
  downloaded: false,
});
const whisper = aModel({ model_name: "whisper-base", family: "transcription", downloaded: true });
const consent = { kind: "own_voice", by: "nora", at: "2026-11-20T10:00:00Z" } as const;
const grandad = (part: Partial<Profile> = {}) =>
  aProfile({
    name: "Grandad",
    description: "",
    voice_type: "cloned",
    language: "en",
    preset_engine: "",
    preset_voice_id: "",
    model_name: "",
    samples: 1,
    consent,
    ...part,
  });

afterEach(() => leaving.set(new Set()));

async function open(
  profile: Profile,
  samples: Sample[],
  routes: Record<string, Handler> = {},
  models = [pocket, turbo, whisper],
) {
  const api = fakeApi({
    "GET /profiles": page([profile]),
    "GET /models/status": { models },
    "GET /settings": {},
    "GET /recordings/devices": { items: [] },
    "PUT /profiles/{id}": (call: { body: unknown }) => ({ ...profile, ...(call.body as object) }),
    "GET /profiles/{id}/samples": { items: samples },
    "PATCH /profiles/{id}/samples/{sample}": (call: { body: unknown }) => ({ ...samples[0], ...(call.body as object) }),
    "DELETE /profiles/{id}/samples/{sample}": reply(204),
    ...routes,
  });
  const view = renderWithProviders(<Voices />, { hash: `#/voices/${profile.id}` });
  const section = await screen.findByRole("region", { name: "Samples" });
  return { api, pane: within(section), ...view };
}

it("shows the samples of a cloned voice, its consent, and what is wrong with a sample", async () => {
  const { pane } = await open(grandad(), [
    aSample({ warnings: [{ code: "two_speakers", detail: "x", remedy: "y" }] }),
    aSample({ name: "" }),
  ]);
  await waitFor(() => expect(pane.getByText("grandad.wav")).toBeVisible());
  expect(pane.getByText("Sample 2")).toBeVisible();
  expect(pane.getByText("Your own voice, stated on Nov 20, 2026")).toBeVisible();
  expect(pane.getByText("Two people may be speaking.")).toBeVisible();
  expect(screen.getByText("From a recording", { selector: "div" })).toBeVisible();
});

it("deletes a sample when the undo bar ends, and saves a changed transcript", async () => {
  const sample = aSample();
  const { pane, user, api } = await open(grandad(), [sample]);
  const text = await pane.findByRole("textbox", { name: "What is said" });
  await user.type(text, "The lamp was lit.");
  await user.tab();
  await waitFor(() =>
    expect(api.to("PATCH /profiles/{id}/samples/{sample}")[0]?.body).toEqual({ transcript: "The lamp was lit." }),
  );
  await user.click(pane.getByRole("button", { name: "Delete grandad.wav" }));
  expect(pane.queryByText("grandad.wav")).toBeNull();
  expect(api.to("DELETE /profiles/{id}/samples/{sample}")).toHaveLength(0);
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(pane.getByText("grandad.wav")).toBeVisible();
  await user.click(pane.getByRole("button", { name: "Delete grandad.wav" }));
  window.dispatchEvent(new Event("pagehide"));
  await waitFor(() => expect(api.to("DELETE /profiles/{id}/samples/{sample}")).toHaveLength(1));
});

it("says that a sample is missing, and opens the wizard to add one", async () => {
  const voice = grandad({ samples: 0, consent: null, usable: false, reason: "No sample." });
  const { pane, user } = await open(voice, []);
  await waitFor(() => expect(pane.getByText(/^No sample yet/)).toBeVisible());
  await user.click(pane.getByRole("button", { name: "Add sample" }));
  await waitFor(() => expect(screen.getByRole("dialog", { name: "Add a sample to Grandad" })).toBeVisible());
});

it("changes the model, and links to one that is not installed", async () => {
  const { user, api, pane } = await open(grandad({ model_name: "chatterbox-turbo" }), [aSample()]);
  await waitFor(() =>
    expect(pane.getByRole("link", { name: "Show Chatterbox Turbo in Models" })).toHaveAttribute(
      "href",
      "#/models/chatterbox-turbo",
    ),
  );
  await user.selectOptions(screen.getByRole("combobox", { name: "Model" }), "Pocket TTS English");
  await waitFor(() => expect(api.to("PUT /profiles/{id}")[0]?.body).toEqual({ model_name: "pocket-en" }));
});

it("compares the voice with its samples on request", async () => {
  const { pane, user } = await open(grandad(), [aSample()], {
    "POST /profiles/{id}/similarity": {
      text: "one two three four",
      heard: "one two three four",
      wer: 0,
      model_name: "whisper-base",
      level_lufs: -24,
      sample_level_lufs: -18,
      words_per_minute: 120,
      sample_words_per_minute: null,
      pitch_hz: 220,
      sample_pitch_hz: 110,
      cosine: 0.2,
      warnings: [{ code: "voice", detail: "x", remedy: "y" }],
    },
  });
  await user.click(pane.getByRole("button", { name: "Check similarity" }));
  await waitFor(() => expect(pane.getByText("Heard 4 of 4 words")).toBeVisible());
  expect(pane.getByText("6 dB quieter than the recording")).toBeVisible();
  expect(pane.getByText("12 semitones above the recording")).toBeVisible();
  expect(pane.queryByText("Pace")).toBeNull();
  expect(pane.getByText("Like another person")).toBeVisible();
  expect(pane.getByText("This voice sounds like another person than its sample.")).toBeVisible();
});

it("asks whose voice it is before a file with samples is imported", async () => {
  const missing = { detail: [{ loc: ["body", "consent"], msg: "Field required", type: "missing" }] };
  const { user, api } = await open(grandad(), [aSample()], {
    "POST /profiles/import": (call: { body: unknown }) =>
      (call.body as FormData).has("consent") ? aProfile({ name: "Guest" }) : reply(422, missing),
  });
  const file = new File(["x"], "guest.zip", { type: "application/zip" });
  await user.upload(screen.getByLabelText("Import voice"), file);
  const dialog = within(await screen.findByRole("dialog", { name: "Whose voice is it?" }));
  await user.click(dialog.getByRole("button", { name: "Import voice" }));
  expect(dialog.getByText("Choose one of these to continue.")).toBeVisible();
  await user.click(dialog.getByRole("radio", { name: "I have this person’s permission" }));
  await user.click(dialog.getByRole("button", { name: "Import voice" }));
  await waitFor(() => expect(screen.getByText("Guest imported")).toBeVisible());
  expect((api.to("POST /profiles/import")[1]?.body as FormData).get("consent")).toBe("permission");
});
