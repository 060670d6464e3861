import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Chunk, Generation } from "@/api/types";
import { aGeneration, aModel, fakeApi, renderWithProviders, reply } from "@/test";
import { CheckQuestion } from "./CheckQuestion";
import { Verified } from "./Verified";

const chunk = (text: string, heard: string, wer: number, repeated: string[] = []): Chunk => ({
  text,
  start: 0,
  end: 1,
  take: 0,
  takes: 1,
  verify: { wer, heard, dropped: [], repeated, words: 5 },
});
const verify = { model_name: "whisper-base", wer: 0.2, at: "2026-11-20T10:00:00Z" };

function show(generation: Generation) {
  const api = fakeApi({
    "GET /settings": { "speech.verify_limit": 0.15 },
    "GET /models/status": { models: [] },
    "POST /history/verify": reply(202, { accepted: 1 }),
  });
  return { api, ...renderWithProviders(<Verified generation={generation} />) };
}

it("says how much was understood, and marks what was heard differently", async () => {
  const { user } = show(
    aGeneration({
      verify,
      chunks: [
        chunk("She lit the lamp.", "She lit a lamp lamp", 0.5, ["lamp"]),
        chunk("By hand.", "By hand", 0),
        chunk("Never.", "", 1),
      ],
    }),
  );
  expect(screen.getByText("80% understood")).toBeVisible();
  expect(screen.getByText("the").tagName).toBe("DEL");
  expect(screen.getByText("a").tagName).toBe("INS");
  expect(screen.getByText("Heard more than once: lamp")).toBeVisible();
  expect(screen.getByText("Nothing was understood.")).toBeVisible();
  expect(screen.queryByText("Passage 2")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Show what was heard in all 3 passages" }));
  expect(screen.getByText("Passage 2")).toBeVisible();
});

it("checks a generation that was not checked yet", async () => {
  const generation = aGeneration();
  const { api, user } = show(generation);
  await user.click(screen.getByRole("button", { name: "Check" }));
  await waitFor(() =>
    expect(api.to("POST /history/verify")[0]?.body).toEqual({ ids: [generation.id], download: false }),
  );
});

it("asks before it downloads a missing model, and checks once it is there", async () => {
  const generation = aGeneration();
  const missing = aModel({ model_name: "whisper-base", display_name: "Whisper base", size_mb: 148, downloaded: false });
  const params = { model_name: "whisper-base", display_name: "Whisper base", size_mb: 148 };
  const api = fakeApi({
    "GET /settings": { "speech.verify_limit": 0.15 },
    "GET /models/status": { models: [missing] },
    "POST /history/verify": reply(409, { code: "model_not_downloaded", detail: "x", remedy: "y", params }),
    "POST /models/download": { model_name: "whisper-base", status: "queued", progress_url: "" },
  });
  const { user } = renderWithProviders(
    <>
      <Verified generation={generation} />
      <CheckQuestion />
    </>,
  );
  await user.click(screen.getByRole("button", { name: "Check" }));
  await waitFor(() =>
    expect(screen.getByText("Whisper base is needed to check speech. Download 148 MB?")).toBeVisible(),
  );
  expect(api.to("POST /models/download")).toHaveLength(0);
  api.set("POST /history/verify", reply(202, { accepted: 1 }));
  api.set("GET /models/status", { models: [{ ...missing, downloaded: true }] });
  await user.click(screen.getByRole("button", { name: /^Download/ }));
  await waitFor(() => expect(api.to("POST /history/verify")).toHaveLength(2));
  expect(api.to("POST /models/download")[0]?.body).toMatchObject({ model_name: "whisper-base" });
});

it("says that it is being checked, and why that failed", () => {
  show(
    aGeneration({
      verifying: true,
      verify_error: { code: "out_of_memory", detail: "no memory", remedy: "" },
    }),
  );
  expect(screen.getByRole("button", { name: "Checking" })).toHaveAttribute("aria-busy", "true");
  expect(screen.getByRole("alert")).toBeVisible();
});
