import { expect, type Page } from "@playwright/test";
import type { SampleCheck } from "@/api/types";
import { show } from "./scene";

/** Words and pauses of 15 seconds, as bars from 0 to 1. */
const peaks = Array.from({ length: 400 }, (_, i) => {
  const phrase = Math.max(0, Math.sin(i / 23)) * Math.max(0, Math.sin(i / 60 + 0.6) + 0.4);
  return Math.min(1, 0.03 + phrase * (0.45 + 0.35 * Math.abs(Math.sin(i * 1.7))));
});

const model = (model_name: string, display_name: string, size_mb: number, downloaded = false) => ({
  model_name,
  display_name,
  size_mb,
  downloaded,
  fits: "yes" as const,
  languages: ["en"],
  problem: null,
});

const check: SampleCheck = {
  id: "",
  profile_id: "",
  name: "grandad.wav",
  seconds: 12.4,
  sample_rate: 48_000,
  level_lufs: -19,
  noise_db: -48,
  clipped: false,
  speakers: 1,
  warnings: [{ code: "noisy", detail: "", remedy: "" }],
  transcript: "",
  created_at: "2026-03-12T15:24:00Z",
  audio_url: "",
  from: 1.2,
  to: 13.6,
  duration: 15,
  peaks,
  models: [
    model("pocket-en", "Pocket TTS English", 166),
    model("chatterbox-turbo", "Chatterbox Turbo", 722),
    model("chatterbox-nano", "Chatterbox Nano", 301),
  ],
};

/** Opens the wizard with an imaginary recording, at the step in which it is trimmed. */
export async function imagineRecording(page: Page): Promise<void> {
  await page.route(
    (url) => url.pathname === "/samples/check",
    (route) => route.fulfill({ json: check }),
  );
  await show(page, "voices?new=recording");
  const wizard = page.getByRole("dialog", { name: "Voice from a recording" });
  await wizard
    .locator("input[type=file]")
    .setInputFiles({ name: "grandad.wav", mimeType: "audio/wav", buffer: Buffer.from("RIFF") });
  await expect(wizard.getByText("The background is noisy.")).toBeVisible();
}
