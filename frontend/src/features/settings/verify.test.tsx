import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { aModel, fakeApi, renderWithProviders, reply } from "@/test";
import Settings from ".";

const base = aModel({
  model_name: "whisper-base",
  display_name: "Whisper base",
  family: "transcription",
  size_mb: 148,
  downloaded: false,
});
const listener = { model_name: "whisper-base", display_name: "Whisper base", downloaded: false, size_mb: 148 };
const described = {
  "speech.verify": {
    key: "speech.verify",
    value: false,
    type: "boolean",
    default: false,
    range: "",
    description: "",
  },
};

/** Opens the settings of speech on a server whose speech is not checked, and turns the check on. */
async function turnOn(found: unknown) {
  let now: Record<string, unknown> = { "speech.verify": false };
  const api = fakeApi({
    "GET /settings": (call: { query: URLSearchParams }) => (call.query.has("describe") ? described : now),
    "PUT /settings": (call: { body: unknown }) => (now = { ...now, ...(call.body as object) }),
    "GET /models/status": { models: [base] },
    "GET /transcriptions/model": found,
    "POST /models/download": { model_name: "whisper-base", status: "queued", progress_url: "" },
  });
  const { user } = renderWithProviders(<Settings />, { hash: "#/settings/speech" });
  const check = await screen.findByRole("switch", { name: "Proof-listening" });
  await user.click(check);
  return { api, user, check };
}

it("asks before the model that checks audio is downloaded, and turns the check on once it is there", async () => {
  const { api, user, check } = await turnOn({ ...listener, named: false });
  const dialog = await screen.findByRole("dialog", { name: "Proof-listening" });
  expect(within(dialog).getByText("Whisper base is needed to check speech. Download 148 MB?")).toBeVisible();
  expect(api.to("GET /transcriptions/model")[0]?.query.get("use")).toBe("verification");
  expect(api.to("PUT /settings")).toHaveLength(0);
  expect(api.to("POST /models/download")).toHaveLength(0);
  api.set("GET /models/status", { models: [{ ...base, downloaded: true }] });
  await user.click(within(dialog).getByRole("button", { name: "Download 148 MB" }));
  await waitFor(() => expect(check).toBeChecked());
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(api.to("POST /models/download").map(({ body }) => body)).toEqual([{ model_name: "whisper-base" }]);
  expect(api.to("PUT /settings").map(({ body }) => body)).toEqual([{ "speech.verify": true }]);
});

it("leaves the check off when the download is cancelled", async () => {
  const { api, user, check } = await turnOn({ ...listener, named: false });
  const dialog = await screen.findByRole("dialog", { name: "Proof-listening" });
  await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(check).not.toBeChecked();
  expect(api.to("PUT /settings")).toHaveLength(0);
  expect(api.to("POST /models/download")).toHaveLength(0);
});

it.each([
  ["installed", { ...listener, downloaded: true, named: false }],
  ["named by the user", { ...listener, named: true }],
])("turns the check on at once where its model is %s, and off without a question", async (_, found) => {
  const { api, user, check } = await turnOn(found);
  await waitFor(() => expect(check).toBeChecked());
  expect(screen.queryByRole("dialog")).toBeNull();
  await user.click(check);
  await waitFor(() => expect(check).not.toBeChecked());
  expect(api.to("PUT /settings").map(({ body }) => body)).toEqual([
    { "speech.verify": true },
    { "speech.verify": false },
  ]);
  expect(api.to("GET /transcriptions/model")).toHaveLength(1);
});

it("says why the check cannot be turned on", async () => {
  const error = { code: "runtime_missing", detail: "This build cannot transcribe.", remedy: "", params: {} };
  const { api, check } = await turnOn(reply(501, error));
  await waitFor(() => expect(screen.getByRole("alert")).toBeVisible());
  expect(check).not.toBeChecked();
  expect(api.to("PUT /settings")).toHaveLength(0);
});
