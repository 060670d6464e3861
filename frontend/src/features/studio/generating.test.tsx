import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { player } from "@/player/store";
import { aDraft, aGeneration, aModel, reply } from "@/test";
import { heart, kept, paper, problem, start } from "./testKit";

// Without animation frames the editor does not load, and the plain field stays: jsdom has no layout for an editor. Its
// own logic is tested in editor/editor.test.ts.
beforeEach(() => {
  vi.spyOn(window, "requestAnimationFrame").mockReturnValue(0);
  vi.spyOn(player, "load").mockImplementation(() => undefined);
});

test("shows the stage, stops on request, and plays completed audio", async () => {
  const running = aGeneration({
    status: "generating",
    chunks: [],
    chunks_done: 2,
    chunks_total: 7,
    eta_seconds: 8,
    progress: 0.3,
    audio_url: "",
  });
  let now = running;
  const { api, user, client } = start({
    "POST /generate": reply(202, running),
    "GET /generate/{id}": () => now,
    "GET /history/{id}": () => now,
    "POST /generate/{id}/stop": () => {
      now = { ...running, status: "cancelled" };
      return now;
    },
  });
  await paper();
  await screen.findByText("Built-in voice");
  await user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(screen.getByText(/Passage 3 of 7 · 8 s(ec)? left/)).toBeInTheDocument());
  await user.click(screen.getByRole("button", { name: "Stop" }));
  await waitFor(() => expect(api.to("POST /generate/{id}/stop")).toHaveLength(1));
  await waitFor(() => expect(screen.getByRole("button", { name: "Generate" })).toBeInTheDocument());
  now = { ...running, status: "generating" };
  await user.click(screen.getByRole("button", { name: "Generate" }));
  await screen.findByText(/Passage 3 of 7/);
  now = aGeneration({ ...running, status: "complete", chunks: aGeneration().chunks });
  await act(() => client.invalidateQueries({ queryKey: ["generation", running.id] }));
  await waitFor(() =>
    expect(player.load).toHaveBeenCalledWith(expect.objectContaining({ status: "complete" }), { play: true, at: 0 }),
  );
});

test("a double click on Generate starts one generation and does not stop it", async () => {
  const running = aGeneration({ status: "generating", chunks: [], chunks_done: 2, chunks_total: 7, audio_url: "" });
  const { api, user } = start({
    "POST /generate": reply(202, running),
    "GET /generate/{id}": running,
    "POST /generate/{id}/stop": { ...running, status: "cancelled" },
  });
  await paper();
  await screen.findByText("Built-in voice");
  await user.click(screen.getByRole("button", { name: "Generate" }));
  const stop = await screen.findByRole("button", { name: "Stop" });
  fireEvent.click(stop, { detail: 2 });
  await act(() => Promise.resolve());
  expect(api.to("POST /generate/{id}/stop")).toHaveLength(0);
  fireEvent.click(stop, { detail: 1 });
  await waitFor(() => expect(api.to("POST /generate/{id}/stop")).toHaveLength(1));
  expect(api.to("POST /generate")).toHaveLength(1);
});

test("continues a stopped generation, and keeps it while its text is edited", async () => {
  const running = aGeneration({ status: "generating", chunks: [], chunks_done: 86, chunks_total: 364, audio_url: "" });
  const partial = { chunks: 86, total: 364, seconds: 1204 };
  let now = running;
  const { api, user, client } = start({
    "POST /generate": reply(202, running),
    "GET /generate/{id}": () => now,
    "POST /generate/{id}/stop": () => (now = { ...running, status: "cancelled", partial }),
    "POST /generate/{id}/retry": reply(202, running),
    "POST /generate/{id}/cancel": () => (now = { ...running, status: "cancelled" }),
  });
  const text = await paper();
  await screen.findByText("Built-in voice");
  await user.keyboard("{Control>}{Enter}{/Control}");
  await screen.findByText(/Passage 87 of 364/);
  await user.click(text);
  await user.keyboard("{Escape}");
  expect(api.to("POST /generate/{id}/stop"), "Escape leaves it while a text is edited").toHaveLength(0);
  act(() => text.blur());
  await user.keyboard("{Escape}");
  const note = await screen.findByText("Stopped. 86 of 364 passages are saved.");
  expect(note.closest("[role=status], [aria-live]")).toBeNull(); // the Announcer says that it was stopped

  now = running;
  await user.click(screen.getByRole("button", { name: "Continue" }));
  await waitFor(() => expect(api.to("POST /generate/{id}/retry")[0]?.params.id).toBe(running.id));
  await screen.findByText(/Passage 87 of 364/);
  now = { ...running, status: "cancelled", partial }; // another window stopped it
  await act(() => client.invalidateQueries({ queryKey: ["generation", running.id] }));
  await user.click(await screen.findByRole("button", { name: "Discard" }));
  await waitFor(() => expect(api.to("POST /generate/{id}/cancel")).toHaveLength(1));
  await waitFor(() => expect(screen.queryByText(/Stopped/)).toBeNull());
});

test("says plainly that nothing is saved of a generation that was stopped before its first passage", async () => {
  const running = aGeneration({ status: "generating", chunks: [], chunks_done: 0, chunks_total: 609, audio_url: "" });
  let now = running;
  const { user } = start({
    "POST /generate": reply(202, running),
    "GET /generate/{id}": () => now,
    "POST /generate/{id}/stop": () => (now = { ...running, status: "cancelled", chunks_done: 3 }),
  });
  await paper();
  await screen.findByText("Built-in voice");
  await user.keyboard("{Control>}{Enter}{/Control}");
  await user.click(await screen.findByRole("button", { name: "Stop" }));
  await waitFor(() => expect(screen.getByText(/^Stopped/)).toHaveTextContent(/^Stopped\. Nothing was saved\.$/));
});

const ended = reply(409, problem("not_in_progress"));

test("shows no error when the generation ended in the moment of Stop", async () => {
  const running = aGeneration({ status: "generating", chunks: [], chunks_done: 6, chunks_total: 7, audio_url: "" });
  let now: unknown = running;
  const { api, user } = start({
    "POST /generate": reply(202, running),
    "GET /generate/{id}": () => now,
    "POST /generate/{id}/stop": () => {
      now = aGeneration({ id: running.id });
      return ended;
    },
  });
  await paper();
  await screen.findByText("Built-in voice");
  await user.keyboard("{Control>}{Enter}{/Control}");
  await user.click(await screen.findByRole("button", { name: "Stop" }));
  await waitFor(() => expect(screen.getByRole("button", { name: "Generate" })).toBeInTheDocument());
  expect(api.to("POST /generate/{id}/stop")).toHaveLength(1);
  expect(screen.queryByRole("alert")).toBeNull();
});

test("shows no error when another window has discarded what was finished", async () => {
  const partial = { chunks: 2, total: 7, seconds: 9 };
  const stopped = aGeneration({ status: "cancelled", chunks: [], audio_url: "", partial });
  let now = stopped;
  const draft = aDraft({ id: "d1", content: { text: "The lamp", generation_id: stopped.id } });
  const { user } = start({
    ...kept(draft),
    "GET /generate/{id}": () => now,
    "POST /generate/{id}/cancel": () => {
      now = { ...stopped, partial: null };
      return ended;
    },
  });
  await user.click(await screen.findByRole("button", { name: "Discard" }));
  await waitFor(() => expect(screen.queryByText(/Stopped/)).toBeNull());
  expect(screen.queryByRole("alert")).toBeNull();
});

test("continues a generation that failed", async () => {
  const failed = aGeneration({
    status: "failed",
    chunks: [],
    audio_url: "",
    error: { code: "interrupted", detail: "", remedy: "" },
    partial: { chunks: 1, total: 3, seconds: 2 },
  });
  const { api, user } = start({
    "POST /generate": reply(202, failed),
    "GET /generate/{id}": failed,
    "POST /generate/{id}/retry": reply(202, { ...failed, status: "queued", error: null, partial: null }),
  });
  await paper();
  await screen.findByText("Built-in voice");
  await user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(screen.getByText("Saved: 1 of 3 passages.")).toBeInTheDocument());
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Continue" }));
  await waitFor(() => expect(api.to("POST /generate/{id}/retry")).toHaveLength(1));
});

test.each([
  { behind: 2, text: "Saved: 4 of 6 passages. Only the first 2 can be played until the missing ones are generated." },
  { behind: 4, text: "Saved: 4 of 6 passages. Nothing can be played yet, because the first passage is missing." },
])("says what can be played where $behind of the saved passages follow a missing one", async ({ behind, text }) => {
  const failed = aGeneration({
    status: "failed",
    chunks: [],
    audio_url: "",
    error: { code: "interrupted", detail: "", remedy: "" },
    partial: { chunks: 4, total: 6, seconds: 9, behind },
  });
  const draft = aDraft({ id: "d1", content: { text: "The lamp", generation_id: failed.id } });
  start({ ...kept(draft), "GET /generate/{id}": failed });
  await waitFor(() => expect(screen.getByText(text)).toBeVisible());
  expect(screen.queryAllByRole("button", { name: "Listen" })).toHaveLength(behind < 4 ? 1 : 0);
});

test("asks before it downloads a model, and shows its size and licence", async () => {
  const model = aModel({
    model_name: "kokoro",
    display_name: "Kokoro",
    size_mb: 354,
    license: { name: "OpenRAIL-M", url: "https://example.org", accept_required: true, accepted: false },
  });
  const { api, user } = start(
    { "GET /models/status": { models: [model] }, "POST /generate": aGeneration(), "GET /generate/{id}": aGeneration() },
    heart,
  );
  await paper();
  await screen.findByText(/Not downloaded, 354/);
  await user.click(screen.getByRole("button", { name: "Generate" }));
  const dialog = await screen.findByRole("dialog", { name: "Download Kokoro?" });
  expect(api.to("POST /generate")).toHaveLength(0);
  await user.click(within(dialog).getByRole("button", { name: /Accept and download 354/ }));
  await waitFor(() => expect(api.to("POST /generate")[0]?.body).toMatchObject({ accept_license: true }));
});

test("a licence that the server requires can be accepted, and the generation continues", async () => {
  const answers = [
    reply(
      409,
      problem("license_not_accepted", { model_name: "pocket-en", license: "CC-BY", url: "https://example.org" }),
    ),
    aGeneration(),
  ];
  const { api, user } = start({ "POST /generate": () => answers.shift(), "GET /generate/{id}": aGeneration() });
  await paper();
  await screen.findByText("Built-in voice");
  await user.click(screen.getByRole("button", { name: "Generate" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Accept and generate" }));
  await waitFor(() => expect(api.to("POST /generate")).toHaveLength(2));
  expect(api.to("POST /generate")[1]?.body).toMatchObject({ accept_license: true });
  expect(screen.queryByRole("alert")).not.toBeInTheDocument();
});

test("a full queue is reported, and a button retries", async () => {
  const answers = [reply(503, problem("queue_full")), aGeneration()];
  const { api, user } = start({ "POST /generate": () => answers.shift(), "GET /generate/{id}": aGeneration() });
  await paper();
  await screen.findByText("Built-in voice");
  await user.click(screen.getByRole("button", { name: "Generate" }));
  const alert = await screen.findByRole("alert");
  expect(alert).toHaveTextContent("The queue is full.");
  await user.click(within(alert).getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(api.to("POST /generate")).toHaveLength(2));
});

test("a failed generation is retried by its id", async () => {
  const failed = aGeneration({ status: "failed", error: { code: "engine_failed", detail: "NaN", remedy: "" } });
  const draft = aDraft({ id: "d1", content: { text: "The lamp", generation_id: failed.id } });
  const { api, user } = start({
    ...kept(draft),
    "GET /generate/{id}": failed,
    "POST /generate/{id}/retry": { ...failed, status: "queued" },
  });
  await user.click(await screen.findByRole("button", { name: "Try again" }));
  await waitFor(() => expect(api.to("POST /generate/{id}/retry")).toHaveLength(1));
});
