import { screen, within, waitFor } from "@testing-library/react";
import i18next from "i18next";
import { beforeAll, expect, test } from "vitest";
import { VoicePicker } from "@/features/picker";
import { ModelCard } from "@/features/transcribe/ModelCard";
import { BetterVoicesCard } from "@/features/welcome";
import { MoreVoices } from "@/features/voices/MoreVoices";
import Models from "@/features/models";
import { aModel, aProfile, fakeApi, page, renderWithProviders } from "@/test";
import { directory, system } from "../models/testKit";

beforeAll(() => import("@/features/picker/PickerDialog"));

const kokoro = aModel({ default: true, samples: true, state: "not_downloaded" });
const whisper = aModel({ model_name: "whisper", family: "transcription", display_name: "Whisper base", size_mb: 148 });
const needing = aProfile({ name: "Heart", preset_voice_id: "kokoro#af_heart" });

function offline(setting = false) {
  return fakeApi({
    "GET /models/{name}": { ...kokoro, voices_list: [], files: [] },
    "GET /system": { ...system, offline: true },
    "GET /settings": { "network.offline": setting, "speech.default_voice": "espeak:en-us" },
    "GET /models/status": { models: [kokoro, whisper] },
    "GET /models/directory": directory,
    "GET /models/catalogue": page([]),
    "GET /profiles": page([needing]),
  });
}
const started = /Downloads are off because Voicewright was started with --offline\. Restart it without this option/;

test("Get more has disabled downloads, and the page says why and how to change it", async () => {
  const api = offline();
  const { user } = renderWithProviders(<Models />, { hash: "#/models?tab=more" });
  const get = await screen.findByRole("button", { name: /Download 338 MB.*Kokoro/ });
  expect(get).toHaveAttribute("aria-disabled", "true");
  expect(screen.getByText(started)).toBeVisible();
  await user.click(get);
  await user.click(screen.getByRole("button", { name: "More for Kokoro" }));
  expect(screen.queryByRole("menuitem", { name: /Download/ })).toBeNull();
  expect(api.to("POST /models/download")).toHaveLength(0);
});

test("the voice picker lists no voices to download, and a voice whose model is missing offers none", async () => {
  offline();
  const { user } = renderWithProviders(<VoicePicker open onClose={() => undefined} onChoose={() => undefined} />);
  const dialog = await screen.findByRole("dialog");
  await within(dialog).findByText("Heart");
  await waitFor(() => expect(within(dialog).getByText(started)).toBeVisible());
  expect(within(dialog).queryByText(/voices from Kokoro/)).toBeNull();
  await user.dblClick(within(dialog).getByText("Heart"));
  await waitFor(() => expect(within(dialog).getByText("Kokoro is not downloaded.")).toBeVisible());
  expect(within(dialog).queryByRole("button", { name: /Download 338/ })).toBeNull();
  expect(within(dialog).queryByRole("button", { name: /later|now/i })).toBeNull();
});

test("the first transcription model says that downloads are off", async () => {
  offline();
  renderWithProviders(<ModelCard models={[whisper]} />);
  await waitFor(() => expect(screen.getByText(started)).toBeVisible());
  expect(screen.queryByRole("button", { name: /Download/ })).toBeNull();
});

test("the cards that offer better voices stay away", async () => {
  const api = offline();
  renderWithProviders(
    <>
      <BetterVoicesCard place="studio" inUse="built-in" generation="g1" />
      <MoreVoices models={[kokoro]} language="en" />
      <ModelCard models={[whisper]} />
    </>,
  );
  await screen.findByText(started);
  expect(api.to("GET /models/status")).not.toHaveLength(0);
  expect(screen.queryByText(/Better voices|More voices/)).toBeNull();
  expect(screen.queryByRole("button", { name: /Download/ })).toBeNull();
});

test("with the setting, the sentence leads to it; in German too", async () => {
  await i18next.changeLanguage("de");
  offline(true);
  renderWithProviders(<ModelCard models={[whisper]} />);
  await waitFor(() => expect(screen.getByText(/Downloads sind aus, weil der Offline-Modus an ist/)).toBeVisible());
  expect(screen.getByRole("link", { name: "Netzwerkeinstellungen" })).toHaveAttribute("href", "#/settings/network");
});
