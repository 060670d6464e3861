import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { aModel, aProfile, fakeApi, renderWithProviders, type Handler } from "@/test";
import type { Model, Profile } from "@/api/types";
import { forgetAwaited } from "@/features/picker";
import { createStore } from "@/lib/store";
import { FirstVoiceCard, needsEspeak } from ".";

const kokoro = aModel({ languages: ["en-US", "fr-FR"], espeak_languages: ["fr-FR"] });
const piper = aModel({
  model_name: "lessac",
  default: true,
  languages: ["en-US"],
  espeak_languages: ["en-US"],
  size_mb: 60,
});
const builtIn: Profile = { ...aProfile({ name: "Built-in voice" }), voice_type: "default" };
const page = "https://example.org/espeak-ng";
const line = { systems: "", name: "espeak-ng", command: "get espeak-ng" };
const system = (os: string, available = false) => ({
  os,
  libraries: [{ name: "espeak-ng", version: "", available, install: available ? null : { page, packages: [line] } }],
});
const voices = (...ids: string[]) => ({
  voices: ids.map((id) => ({ id, name: id, language: id, gender: "", usable: true, reason: "" })),
  variants: [],
});

function show(
  routes: Record<string, Handler> = {},
  { profile = builtIn, model = undefined as Model | undefined } = {},
) {
  const speak = vi.fn();
  const server = fakeApi({
    "GET /voices/built-in": voices(),
    "GET /system": system("linux"),
    "GET /settings": {},
    "GET /models/status": { models: [piper, kokoro] },
    "POST /models/download": {},
    ...routes,
  });
  const card = (
    <FirstVoiceCard
      place="studio"
      profile={profile}
      model={model}
      isHosted={false}
      opened={1}
      length={createStore(0)}
      isSpeaking={false}
      speak={speak}
    >
      <p>what else is shown</p>
    </FirstVoiceCard>
  );
  return { server, speak, ...renderWithProviders(card) };
}

beforeEach(() => forgetAwaited("studio"));

it("offers a voice that needs no espeak-ng, and downloads it only when it is clicked", async () => {
  const { server, user } = show();
  const card = within(await screen.findByRole("region", { name: "Your first voice" }));
  const get = await card.findByRole("button", { name: "Download 338 MB" });
  expect(server.to("POST /models/download")).toEqual([]);
  await user.click(get);
  await waitFor(() => expect(server.to("POST /models/download")[0]?.body).toEqual({ model_name: "kokoro" }));
});

it.each([
  ["windows", /file that ends in \.msi/, 0],
  ["darwin", /Homebrew/, 1],
  ["linux", /software centre, search for “espeak-ng”/, 1],
  ["freebsd", /package manager/, 0],
])("says what to click on %s", async (os, steps, lines) => {
  const open = vi.spyOn(window, "open").mockReturnValue(null);
  const { user } = show({ "GET /system": system(os) });
  const help = within(await screen.findByRole("group", { name: "eSpeak NG" }));
  expect(help.getByText(steps)).toBeVisible();
  expect(help.queryAllByRole("button", { name: "Copy line: get espeak-ng" })).toHaveLength(lines);
  await user.click(help.getByRole("button", { name: "Open the download page of eSpeak NG" }));
  expect(open).toHaveBeenCalledWith(page, "_blank", "noopener");
});

it("finds the program again, and has an example one click away", async () => {
  let isThere = false;
  const { user, speak } = show({
    "GET /system": () => system("linux", isThere),
    "GET /voices/built-in": () => (isThere ? voices("en-us") : voices()),
  });
  const check = await screen.findByRole("button", { name: "Check again for eSpeak NG" });
  await user.click(check);
  await waitFor(() => expect(screen.getByText(/wasn’t found yet/)).toBeVisible());
  isThere = true;
  await user.click(check);
  await user.click(await screen.findByRole("button", { name: "Hear an example" }));
  expect(speak).toHaveBeenCalledWith(expect.stringMatching(/^Hello! /));
});

it("offers no download while offline mode is on, but still says how to get the program", async () => {
  show({ "GET /system": { ...system("linux"), offline: true }, "GET /settings": { "network.offline": true } });
  await waitFor(() => expect(screen.getByRole("note")).toBeVisible());
  expect(screen.queryByRole("button", { name: /^Download/ })).toBeNull();
  await waitFor(() => expect(screen.getByRole("button", { name: "Check again for eSpeak NG" })).toBeVisible());
});

it("is not shown for voices that can speak", async () => {
  show({}, { model: { ...kokoro, downloaded: true }, profile: aProfile({ language: "en-US" }) });
  await waitFor(() => expect(screen.getByText("what else is shown")).toBeVisible());
  expect(screen.queryByRole("region", { name: "Your first voice" })).toBeNull();
});

it("knows which voices need espeak-ng", () => {
  expect([needsEspeak(kokoro, "en-GB"), needsEspeak(kokoro, "fr-FR"), needsEspeak(piper, "en-US")]).toEqual([
    false,
    true,
    true,
  ]);
});
