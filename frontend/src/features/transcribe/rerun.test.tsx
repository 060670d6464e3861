import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { aTranscript, page, reply } from "@/test";
import { base, fakeWindow, open, openOne, row } from "./testKit";

beforeEach(fakeWindow);

const small = { ...base, model_name: "whisper-small", display_name: "Whisper small", size_mb: 488, default: false };
const deleted = { ...base, downloaded: false };
const params = { model_name: "whisper-base", display_name: "Whisper base", size_mb: 148 };
const missing = reply(409, { code: "model_not_downloaded", detail: "x", remedy: "y", params });
const failed = row({
  title: "Talk",
  status: "failed",
  error: { code: "interrupted", detail: "x", remedy: "y", params: {} },
});
const routes = {
  "GET /models/status": { models: [deleted] },
  "POST /transcriptions/{id}/rerun": missing,
  "POST /models/download": { model_name: "whisper-base", status: "queued", progress_url: "" },
};
const rerun = "POST /transcriptions/{id}/rerun";

/** Requests that a failed transcript is transcribed again, whose model was deleted; returns the question. */
async function tryAgain() {
  const { api, user } = open({ ...routes, "GET /transcriptions": page([failed]) });
  await user.click(within(await screen.findByRole("alert")).getByRole("button", { name: "Try again" }));
  return { api, user, dialog: await screen.findByRole("dialog", { name: "Transcribe again" }) };
}

it("asks before the deleted model of a transcript is downloaded, and transcribes once it is there", async () => {
  const { api, user, dialog } = await tryAgain();
  expect(within(dialog).getByText("Whisper base is needed to transcribe. Download 148 MB?")).toBeVisible();
  expect(api.to(rerun).map(({ body }) => body)).toEqual([{ download: false }]);
  expect(api.to("POST /models/download")).toHaveLength(0);
  api.set(rerun, reply(202, { ...failed, status: "queued" }));
  api.set("GET /models/status", { models: [base] });
  await user.click(within(dialog).getByRole("button", { name: "Download 148 MB" }));
  await waitFor(() => expect(api.to(rerun)).toHaveLength(2));
  expect(api.to("POST /models/download")[0]?.body).toMatchObject({ model_name: "whisper-base" });
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("downloads and transcribes nothing when that is cancelled", async () => {
  const { api, user, dialog } = await tryAgain();
  await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(api.to(rerun)).toHaveLength(1);
  expect(api.to("POST /models/download")).toHaveLength(0);
});

it("asks for the model of a part too, and transcribes that part with it", async () => {
  const given = aTranscript();
  const { api, user } = openOne(given, routes);
  await user.click(await screen.findByRole("button", { name: "More for the paragraph at 0:02" }));
  await user.click(screen.getByRole("menuitem", { name: "Transcribe this part again" }));
  await user.click(await screen.findByRole("button", { name: "Transcribe" }));
  const dialog = await screen.findByRole("dialog", { name: "Transcribe again" });
  expect(screen.getAllByRole("dialog")).toHaveLength(1);
  api.set(rerun, reply(202, { ...given, status: "queued" }));
  api.set("GET /models/status", { models: [base] });
  await user.click(within(dialog).getByRole("button", { name: "Download 148 MB" }));
  await waitFor(() => expect(api.to(rerun)).toHaveLength(2));
  const [asked, made] = api.to(rerun).map(({ body }) => body);
  expect(made).toEqual(asked);
  expect(made).toMatchObject({ from: 2.5, model_name: "whisper-base", download: false });
});

it("offers an installed model for a part where the one of before was deleted", async () => {
  const { user } = openOne(aTranscript(), { ...routes, "GET /models/status": { models: [deleted, small] } });
  await user.click(await screen.findByRole("button", { name: "More for the paragraph at 0:02" }));
  await user.click(screen.getByRole("menuitem", { name: "Transcribe this part again" }));
  const dialog = await screen.findByRole("dialog", { name: "Transcribe a part again" });
  expect(within(dialog).getByLabelText("Model")).toHaveValue("whisper-small");
});
