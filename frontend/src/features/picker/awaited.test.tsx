import { screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { aModel, aProfile, fakeApi, page, renderWithProviders } from "@/test";
import { describeVoice } from "@/features/voices/library";
import { AwaitedVoice, awaitVoice } from ".";

const model = aModel({ downloaded: true, state: "downloaded", languages: ["en-US", "de-DE"], voices: 2 });
const voice = (id: string, name: string, language: string) =>
  aProfile({ id, name, language, model_name: model.model_name, preset_voice_id: `x_${id}`, voice_type: "preset" });
const adam = voice("adam", "Adam", "en-US");
const klara = voice("klara", "Klara", "de-DE");

/** A download has ended; the place uses the voice `value`, and used the built-in one when the download began. */
function arrive(value: string, awaited: Partial<Parameters<typeof awaitVoice>[1]> = {}) {
  const voices_list = [adam, klara].map(({ id, name, language }) => ({ id: `x_${id}`, name, language, usable: true }));
  fakeApi({
    "GET /models/{name}": { ...model, voices_list, files: [] },
    "GET /models/status": { models: [model] },
    "GET /profiles": page([klara, adam]),
    "GET /settings": {},
  });
  awaitVoice("here", { model: model.model_name, language: "de", inUse: "old", before: new Set(), ...awaited });
  const onChoose = vi.fn();
  renderWithProviders(<AwaitedVoice place="here" value={value} onChoose={onChoose} />);
  return onChoose;
}

test("a model's first voice in the language is chosen when it is ready", async () => {
  const onChoose = arrive("old", { speakAgain: "g1" });
  await waitFor(() => expect(screen.getByText("Klara is ready and is now the voice.")).toBeVisible());
  expect(onChoose).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ id: "klara" }),
    expect.objectContaining({ speakAgain: "g1" }),
  );
});

test("the voice that was picked is chosen", async () => {
  const onChoose = arrive("old", { voice: describeVoice(adam, [], "") });
  await waitFor(() => expect(screen.getByText("Adam is ready and is now the voice.")).toBeVisible());
  expect(onChoose).toHaveBeenCalledTimes(1);
});

test("another voice that was chosen meanwhile stays", async () => {
  const onChoose = arrive("new");
  await waitFor(() => expect(screen.getByText("Klara is ready.")).toBeVisible());
  expect(onChoose).not.toHaveBeenCalled();
});
