import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { SettingInfo } from "@/api/settings";
import type { SystemInfo } from "@/api/types";
import { fakeApi, page, renderWithProviders } from "@/test";
import Settings from ".";

const info = (key: string): SettingInfo => ({
  key,
  value: "auto",
  type: "enum",
  default: "auto",
  range: "",
  description: "",
  values: ["auto", "cpu", "cuda", "directml", "coreml"],
});
const missing = { code: "unsupported_gpu", detail: "", remedy: "", params: { device: "cuda", reason: "missing" } };

function show(
  choices: SystemInfo["device_choices"],
  values = { "speech.device": "auto", "transcribe.device": "auto" },
) {
  const server = fakeApi({
    "GET /settings": (call: { query: URLSearchParams }) =>
      call.query.has("describe")
        ? { "speech.device": info("speech.device"), "transcribe.device": info("transcribe.device") }
        : values,
    "PUT /settings": {},
    "GET /profiles": page([]),
    "GET /system": { devices: [], libraries: [], memory: null, device_choices: choices },
  });
  return { server, ...renderWithProviders(<Settings />, { hash: "#/settings/devices" }) };
}

describe("the devices of models", () => {
  it("offers the graphics cards of this system, and says why one can't be used", async () => {
    const { user, server } = show([
      { family: "speech", device: "cuda", available: false, reason: missing },
      { family: "transcription", device: "cuda", available: true, reason: null },
    ]);
    const speech = await screen.findByRole("combobox", { name: "Speech runs on" });
    await waitFor(() => expect(screen.getByText(/This installation can’t use CUDA\./)).toBeVisible());
    expect(
      within(speech)
        .getAllByRole("option")
        .map((one) => one.textContent),
    ).toEqual(["Automatic", "Processor", "NVIDIA graphics card (CUDA) – not usable"]);
    await user.selectOptions(
      screen.getByRole("combobox", { name: "Transcription runs on" }),
      "NVIDIA graphics card (CUDA)",
    );
    expect(server.to("PUT /settings").map((call) => call.body)).toEqual([{ "transcribe.device": "cuda" }]);
  });

  it("keeps a choice of another system and marks it, and says what is not known yet", async () => {
    show(
      [
        { family: "speech", device: "coreml", available: null, reason: null },
        { family: "transcription", device: "coreml", available: false, reason: missing },
      ],
      { "speech.device": "cuda:1", "transcribe.device": "metal" },
    );
    const speech = await screen.findByRole<HTMLSelectElement>("combobox", { name: "Speech runs on" });
    await waitFor(() => expect(screen.getByText(/is known once a model was loaded/)).toBeVisible());
    expect(speech.selectedOptions[0]).toHaveTextContent("NVIDIA graphics card (CUDA), CUDA:1 – not on this system");
    const other = screen.getByRole<HTMLSelectElement>("combobox", { name: "Transcription runs on" });
    expect(other.selectedOptions[0]).toHaveTextContent("Graphics of the Mac (Core ML) – not usable");
  });
});
