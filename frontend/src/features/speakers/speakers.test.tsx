import { screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { aKnownSpeaker, aModel, fakeApi, renderWithProviders, reply, type Handler } from "@/test";
import { KnownSpeakers, RememberDialog } from ".";

const anna = aKnownSpeaker({ name: "Anna" });
const model = aModel({ model_name: "speakers", display_name: "Speakers", family: "speakers", size_mb: 34, voices: 0 });

function open(routes: Record<string, Handler> = {}, speaker = "Speaker 1") {
  const api = fakeApi({
    "GET /speakers": { items: [], total: 0 },
    "POST /speakers": reply(201, anna),
    "GET /models/status": { models: [model] },
    ...routes,
  });
  const [onRename, onClose] = [vi.fn(), vi.fn()];
  const view = renderWithProviders(
    <RememberDialog transcript="t1" speaker={speaker} onRename={onRename} onClose={onClose} />,
  );
  return { api, onRename, onClose, ...view };
}
const send = () => screen.getByRole("button", { name: /Remember voice|Improve voice print/ });

it("stores nothing before a person said why the voice may be used", async () => {
  const { user, api } = open();
  await screen.findByText(/It stays on this machine, and is never in a backup unless you choose it/);
  await user.type(screen.getByRole("textbox", { name: "Name" }), "Speaker 1"); // found, and given by nobody
  await user.click(send());
  expect(screen.getByText("Enter the name of the person.")).toBeVisible();
  await user.clear(screen.getByRole("textbox", { name: "Name" }));
  await user.type(screen.getByRole("textbox", { name: "Name" }), "Anna");
  await user.click(send());
  expect(screen.getByText("Choose one of these to continue.")).toBeVisible();
  expect(screen.getByRole("radio", { name: "It is my own voice" })).toHaveFocus();
  expect(api.to("POST /speakers")).toHaveLength(0);
});

it("remembers a voice with the statement, says how much speech was used, and offers the name for the transcript", async () => {
  const { user, api, onRename, onClose } = open();
  const name = await screen.findByRole("textbox", { name: "Name" });
  expect(name).toHaveValue("");
  await user.type(name, " Anna ");
  await user.click(screen.getByRole("radio", { name: "I have this person’s permission" }));
  await user.type(screen.getByRole("textbox", { name: "Statement by" }), "Ben");
  await user.click(send());
  await screen.findByText("Voice print of Anna saved");
  expect(api.to("POST /speakers")[0]?.body).toEqual({
    transcription_id: "t1",
    speaker: "Speaker 1",
    name: "Anna",
    consent: "permission",
    consent_by: "Ben",
  });
  expect(screen.getByText("42 s of speech from 1 transcript")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Use “Anna” in this transcript" }));
  expect(onRename).toHaveBeenCalledWith("Anna");
  expect(onClose).toHaveBeenCalled();
});

it("says that a known name is improved", async () => {
  const { user } = open({ "GET /speakers": { items: [anna], total: 1 } });
  const name = await screen.findByRole("textbox", { name: "Name" });
  await user.type(name, "ANNA");
  await screen.findByText(/You already have a voice print of Anna/);
  expect(send()).toHaveTextContent("Improve voice print");
});

it("offers to download the model, and remembers the voice once it is there", async () => {
  let downloaded = false;
  const { user, api, client } = open(
    {
      "POST /speakers": () =>
        downloaded
          ? reply(201, anna)
          : reply(409, {
              code: "model_not_downloaded",
              detail: "",
              remedy: "",
              params: { model_name: "speakers", display_name: "Speakers", size_mb: 34 },
            }),
      "GET /models/status": () => ({ models: [{ ...model, downloaded }] }),
      "POST /models/download": reply(202, { model_name: "speakers", status: "queued", current: 0, total: 34_000_000 }),
    },
    "Anna",
  );
  await user.click(await screen.findByRole("radio", { name: "It is my own voice" }));
  await user.click(send());
  await screen.findByText(/Recognising voices needs the model Speakers \(34 MB\)/);
  await user.click(screen.getByRole("button", { name: /^Download/ }));
  await waitFor(() => expect(api.to("POST /models/download")).toHaveLength(1));
  downloaded = true;
  await client.invalidateQueries();
  await screen.findByText("Voice print of Anna saved");
});

it.each([
  [410, { code: "audio_missing", detail: "x", remedy: "y", params: {} }, "The audio of this transcript is missing."],
  [
    422,
    { detail: [{ loc: ["body", "speaker"], msg: "The speaker should have at least 3 seconds of speech", type: "x" }] },
    "This voice can’t be remembered from this transcript.",
  ],
  [
    409,
    { code: "not_in_progress", detail: "x", remedy: "y", params: {} },
    "The speakers of this transcript are still being found.",
  ],
])("says why a voice cannot be remembered: %s %o", async (status, problem, words) => {
  const { user } = open({ "POST /speakers": reply(status, problem) }, "Anna");
  await user.click(await screen.findByRole("radio", { name: "It is my own voice" }));
  await user.click(send());
  await screen.findByText(words);
  expect(screen.getByRole("textbox", { name: "Name" })).toHaveValue("Anna");
});

it("stops listening when the dialog is closed", async () => {
  let signal: AbortSignal | undefined;
  const { user, unmount } = open({ "POST /speakers": () => new Promise(() => undefined) }, "Anna");
  const { fetch } = window;
  vi.stubGlobal("fetch", (input: Request, init?: RequestInit) => {
    if (input.url.endsWith("/speakers") && input.method === "POST") signal = input.signal;
    return fetch(input, init);
  });
  await user.click(await screen.findByRole("radio", { name: "It is my own voice" }));
  await user.click(send());
  await screen.findByText("Listening to what Anna says");
  unmount();
  expect(signal?.aborted).toBe(true);
});

function list(routes: Record<string, Handler> = {}) {
  const api = fakeApi({ "GET /speakers": { items: [anna], total: 1 }, ...routes });
  return { api, ...renderWithProviders(<KnownSpeakers />) };
}

it("says how to add the first known speaker", async () => {
  list({ "GET /speakers": { items: [], total: 0 } });
  await screen.findByText("No known speakers yet");
  expect(screen.getByText(/choose “Recognise this voice again…” in the menu of a speaker/)).toBeVisible();
  expect(screen.getByRole("link", { name: "Open Transcribe" })).toHaveAttribute("href", "#/transcribe");
});

it("lists what a voice print is made of, and says which cannot be used", async () => {
  const ben = aKnownSpeaker({ name: "Ben", usable: false, recordings: 2, seconds: 100 });
  list({ "GET /speakers": { items: [anna, ben], total: 2 } });
  const [first, second] = await screen.findAllByRole("listitem");
  within(first as HTMLElement).getByText(/42 s of speech from 1 transcript · changed on .*2026/);
  within(first as HTMLElement).getByText(/With permission, stated by Ilse on .*2026/);
  expect(within(first as HTMLElement).queryByText("Can’t be used")).toBeNull();
  within(second as HTMLElement).getByText(/of speech from 2 transcripts/);
  within(second as HTMLElement).getByText("Can’t be used");
  within(second as HTMLElement).getByText(/Made with another version of the model/);
});

it("renames a known speaker in place, and says when the name is taken", async () => {
  const { user, api } = list({
    "PATCH /speakers/{id}": reply(422, {
      detail: [{ loc: ["body", "name"], msg: "Another known speaker has this name", type: "value_error" }],
    }),
  });
  await user.click(await screen.findByRole("button", { name: "Rename Anna" }));
  const field = screen.getByRole("textbox", { name: "Name" });
  expect(field).toHaveFocus();
  await user.clear(field);
  await user.type(field, "Annika{Enter}");
  await screen.findByText("Another known speaker has this name.");
  api.set("PATCH /speakers/{id}", { ...anna, name: "Annika" });
  api.set("GET /speakers", { items: [{ ...anna, name: "Annika" }], total: 1 });
  await user.type(field, "{Enter}");
  await waitFor(() => expect(screen.getByRole("button", { name: "Rename Annika" })).toHaveFocus());
  expect(api.to("PATCH /speakers/{id}").at(-1)?.body).toEqual({ name: "Annika" });
});

it("forgets a known speaker when the undo bar ends, and not before", async () => {
  const { user, api } = list({ "DELETE /speakers/{id}": reply(204) });
  await user.click(await screen.findByRole("button", { name: "Forget Anna" }));
  expect(screen.queryByRole("button", { name: "Forget Anna" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(screen.getByRole("button", { name: "Forget Anna" })).toBeVisible();
  expect(api.to("DELETE /speakers/{id}")).toHaveLength(0);
  await user.click(screen.getByRole("button", { name: "Forget Anna" }));
  api.set("GET /speakers", { items: [], total: 0 });
  await user.click(screen.getByRole("button", { name: "Close" }));
  await waitFor(() => expect(api.to("DELETE /speakers/{id}")[0]?.params).toEqual({ id: anna.id }));
});

it("shows a speaker again that could not be forgotten", async () => {
  const { user } = list({
    "GET /speakers": { items: [aKnownSpeaker({ name: "Anna" })], total: 1 },
    "DELETE /speakers/{id}": reply(500, { code: "internal", detail: "x", remedy: "y", params: {} }),
  });
  await user.click(await screen.findByRole("button", { name: "Forget Anna" }));
  await user.click(screen.getByRole("button", { name: "Close" }));
  await screen.findByText("Anna couldn’t be forgotten.");
  expect(screen.getByRole("button", { name: "Forget Anna" })).toBeVisible();
});
