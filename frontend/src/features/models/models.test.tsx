import { act, screen, waitFor, within } from "@testing-library/react";
import i18next from "i18next";
import { beforeEach, describe, expect, it } from "vitest";
import { clearDownloads, noteDownload } from "@/api/live";
import type { Model } from "@/api/types";
import { aModel, aProfile, fakeApi, page, renderWithProviders, reply } from "@/test";
import { closeDialog } from "./dialogs";
import { doings } from "./deeds";
import Models from ".";

const system = {
  os: "linux", arch: "amd64", devices: [{ id: "cpu", name: "CPU", cores: 8, memory: null }], memory: { total: 16e9, free: 4e9 }, disk: null,
  libraries: [], encoders: [], offline: false, paths: {},
};
const directory = { path: "/home/me/models", used_bytes: 338e6, free_bytes: 6.4e9, moving: false, moved_bytes: 0 };
const absent = (part: Partial<Model> = {}) => aModel({ state: "not_downloaded", ...part });
const ready = (part: Partial<Model> = {}) => aModel({ state: "downloaded", downloaded: true, ...part });

function show(models: Model[], hash = "#/models", routes: Record<string, unknown> = {}) {
  const api = fakeApi({
    "GET /models/{name}": { ...aModel(), voices_list: [] }, "GET /system": system, "GET /models/directory": directory, "GET /models/status": () => ({ models }), "GET /profiles": { items: [], total: 0, next_cursor: null },
    "GET /models/catalogue": { items: [], total: 0, next_cursor: null }, ...routes,
  });
  return { api, ...renderWithProviders(<Models />, { hash }) };
}

beforeEach(() => { doings.set(new Map()); clearDownloads(); closeDialog(); });

describe("the screen", () => {
  it("says where models live, what is used and free, and what the machine has", async () => {
    show([ready()]);
    expect(await screen.findByText("/home/me/models")).toBeVisible();
    expect(screen.getByRole("img", { name: "338 MB used, 6.4 GB free" })).toBeVisible();
    expect(screen.getByText(/CPU, 8 cores · 4 GB of 16 GB memory free/)).toBeVisible();
  });

  it("says what to do when nothing is here, and keeps the tab in the address", async () => {
    const { user } = show([absent()]);
    await screen.findByText("No model here yet");
    await user.click(screen.getByRole("button", { name: "Get more" }));
    expect(location.hash).toContain("tab=more");
    expect(await screen.findByRole("button", { name: "Download 338 MB: Kokoro" })).toBeVisible();
  });

  it("does not offer what this program cannot speak with", async () => {
    show([absent(), absent({ model_name: "whisper-tiny", display_name: "Whisper tiny", engine: "whisper", family: "transcription", supported: false })], "#/models?tab=more");
    await screen.findByRole("button", { name: "Kokoro" });
    expect(screen.queryByText("Whisper tiny")).toBeNull();
  });

  it("offers what the server says it can speak with, whatever it is called", async () => {
    show([absent({ model_name: "new", display_name: "Newcomer", engine: "newcomer" })], "#/models?tab=more");
    expect(await screen.findByRole("button", { name: "Newcomer" })).toBeVisible();
  });

  it("tells why a model does not fit, also to a screen reader", async () => {
    show([absent({ fits: "no", memory_mb: { estimate: 20_000, measured: null } })], "#/models?tab=more");
    expect(await screen.findByText("Does not fit: needs about 20 GB of memory, this machine has 16 GB")).toBeInTheDocument();
    expect(screen.getByText("Needs 20 GB of memory")).toBeVisible();
  });

  it("finds by words and says when nothing fits", async () => {
    const { user } = show([ready(), ready({ model_name: "kitten-nano", display_name: "KittenTTS nano", engine: "kitten" })]);
    await user.type(await screen.findByRole("searchbox"), "kitten");
    await waitFor(() => expect(screen.queryByRole("button", { name: "Kokoro" })).toBeNull());
    await user.type(screen.getByRole("searchbox"), " zzz");
    await user.click(await screen.findByRole("button", { name: "Clear the filters" }));
    expect(await screen.findByRole("button", { name: "Kokoro" })).toBeVisible();
  });

  it("says that it is offline", async () => {
    show([ready()], "#/models", { "GET /system": { ...system, offline: true } });
    expect(await screen.findByText(/Offline mode is on/)).toBeVisible();
  });

  it("speaks German", async () => {
    await i18next.changeLanguage("de");
    show([ready()]);
    expect(await screen.findByText("Bereit")).toBeVisible();
    expect(screen.getByText(/Natürliche Stimmen/)).toBeVisible();
  });
});

describe("a download", () => {
  it("shows part, speed and time left, and pauses", async () => {
    const model = absent({ state: "downloading", downloading: { current: 0, total: 100e6 } });
    const { user, api } = show([model], "#/models", { "POST /models/{name}/pause": {} });
    await screen.findByRole("button", { name: "Kokoro" });
    act(() => {
      noteDownload({ model_name: "kokoro", status: "downloading", current: 31e6, total: 100e6 }, 1000);
      noteDownload({ model_name: "kokoro", status: "downloading", current: 43e6, total: 100e6 }, 2000);
    });
    expect(await screen.findByText("43% · 12 MB/s · 5 s left")).toBeVisible();
    act(() => noteDownload({ model_name: "kokoro", status: "downloading", current: 20e6, total: 100e6 }, 2500));
    expect(screen.getByRole("progressbar", { name: "Download of Kokoro" })).toHaveAttribute("aria-valuenow", "43");
    await user.click(screen.getByRole("button", { name: "Pause: Kokoro" }));
    expect(api.to("POST /models/{name}/pause")).toHaveLength(1);
    act(() => noteDownload({ model_name: "kokoro", status: "paused", current: 43e6, total: 100e6 }));
    expect(await screen.findByText("Paused · 43 MB of 100 MB")).toBeVisible();
    expect(screen.getByRole("button", { name: "Resume: Kokoro" })).toBeVisible();
  });

  it("asks for the licence once, in plain words, and accepts and downloads in one click", async () => {
    const license = { name: "OpenRAIL-M", url: "https://example.org/l", accept_required: true, accepted: false };
    const { user, api } = show([absent({ license })], "#/models?tab=more", { "POST /models/download": { model_name: "kokoro", status: "queued", progress_url: "" } });
    await user.click(await screen.findByRole("button", { name: /Download 338 MB/ }));
    const dialog = await screen.findByRole("dialog", { name: "Licence of Kokoro" });
    expect(within(dialog).getByText("OpenRAIL-M")).toBeVisible();
    expect(within(dialog).getByRole("link", { name: "Read it" })).toHaveAttribute("href", "https://example.org/l");
    expect(api.to("POST /models/download")).toHaveLength(0);
    await user.click(within(dialog).getByRole("button", { name: "Accept and download 338 MB" }));
    expect(api.to("POST /models/download")[0]?.body).toEqual({ model_name: "kokoro", accept_license: true });
  });

  it("keeps the reason in the row, and Retry asks again", async () => {
    const error = { code: "download_failed", detail: "x", remedy: "y", params: { host: "hub.example" } };
    const { user, api } = show([absent({ error, partial_mb: 218 })], "#/models", { "POST /models/download": {} });
    expect(await screen.findByText("hub.example did not give the files.")).toBeVisible();
    expect(screen.getByText(/Kept 218 MB of 338 MB/)).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Retry: Kokoro" }));
    expect(api.to("POST /models/download")).toHaveLength(1);
  });

  it("says how much room is missing and leads to the largest models", async () => {
    const here = [ready({ model_name: "kitten-nano", display_name: "KittenTTS nano", engine: "kitten", size_mb: 61 }), ready({ model_name: "supertonic-3", display_name: "Supertonic 3", engine: "supertonic", size_mb: 402 })];
    const refusal = reply(507, { code: "insufficient_disk", detail: "x", remedy: "", params: { needed: 9e11, free: 6.4e9 } });
    const { user } = show([absent(), ...here], "#/models?tab=more", { "POST /models/download": refusal });
    await user.click(await screen.findByRole("button", { name: /Download 338 MB/ }));
    expect(await screen.findByText("Not enough disk: needs 900 GB, 6.4 GB free.")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Free space" }));
    const rows = within(await screen.findByRole("list", { name: "On this machine" })).getAllByRole("listitem");
    expect(rows.map((row) => row.dataset.model)).toEqual(["supertonic-3", "kitten-nano"]);
  });
});

describe("a model that is here", () => {
  it("lists what fills the memory, each with its Unload", async () => {
    const other = ready({ model_name: "supertonic-3", display_name: "Supertonic 3", engine: "supertonic", state: "loaded", loaded: true, memory_mb: { estimate: 600, measured: 612 } });
    const { user, api } = show([ready(), other], "#/models", {
      "POST /models/load": reply(507, { code: "out_of_memory", detail: "x", remedy: "", params: { needed_mb: 3000, free_mb: 500 } }), "POST /models/unload": { model_name: "supertonic-3", loaded: false, freed_mb: 612 },
    });
    await user.click(await screen.findByRole("button", { name: "Load: Kokoro" }));
    expect(await screen.findByText("Needs about 3 GB of memory, 500 MB free.")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Unload Supertonic 3, 612 MB" }));
    expect(api.to("POST /models/unload")[0]?.body).toEqual({ model_name: "supertonic-3" });
    await user.click(screen.getByRole("button", { name: "Load anyway" }));
    expect(api.to("POST /models/load")[1]?.body).toEqual({ model_name: "kokoro", force: true });
  });

  it("is deleted after a dialog that says how much goes and what stays", async () => {
    const { user, api } = show([ready()], "#/models", { "DELETE /models/{name}": { model_name: "kokoro", downloaded: false, freed_mb: 338 } });
    await user.click(await screen.findByRole("button", { name: "More for Kokoro" }));
    await user.click(await screen.findByRole("menuitem", { name: "Delete" }));
    const dialog = await screen.findByRole("dialog", { name: "Delete Kokoro?" });
    expect(within(dialog).getByText(/Voices that use it .* stay/)).toBeVisible();
    await user.click(within(dialog).getByRole("button", { name: "Delete 338 MB" }));
    await waitFor(() => expect(api.to("DELETE /models/{name}")).toHaveLength(1));
  });

  it("shows its details: measured speed, licence, revision, and the state of the row", async () => {
    show([ready({ rtf: 0.09, memory_mb: { estimate: 620, measured: 612 } })], "#/models/kokoro");
    const facts = await screen.findByText("Measured here");
    expect(facts.parentElement).toHaveTextContent("11 × faster than speech");
    expect(facts.parentElement).toHaveTextContent("612 MB");
    expect(screen.getByText("Apache-2.0")).toBeVisible();
    expect(screen.getByText("000000000000")).toBeVisible();
  });
});

describe("paths on this machine", () => {
  it("moves the folder, and says in place why it could not", async () => {
    const invalid = reply(422, { detail: [{ loc: ["body", "path"], msg: "The new folder is not empty", type: "value_error" }] });
    const { user, api } = show([ready()], "#/models", { "PUT /models/directory": invalid });
    await user.click(await screen.findByRole("button", { name: "Move" }));
    await user.type(screen.getByLabelText("New folder"), "/mnt/big");
    await user.click(screen.getByRole("button", { name: "Move 338 MB" }));
    expect(await screen.findByText(/The models stay where they are.*The new folder is not empty/)).toBeVisible();
    expect(api.to("PUT /models/directory")[0]?.body).toEqual({ path: "/mnt/big" });
  });

  it("asks the system for a file in the desktop window, and fills a model with it", async () => {
    const bridge = { Address: () => Promise.resolve({ url: "", token: "" }), ChooseFiles: () => Promise.resolve(["/usb/voice.json", "/usb/voice.onnx"]) };
    window.go = { app: { Bridge: bridge } };
    const { user, api } = show([absent()], "#/models?tab=more", { "POST /models/{name}/import": ready() });
    await user.click(await screen.findByRole("button", { name: "More for Kokoro" }));
    await user.click(await screen.findByRole("menuitem", { name: "Import its files from disk" }));
    await user.click(await screen.findByRole("button", { name: "Choose" }));
    await waitFor(() => expect(screen.getByLabelText("Path")).toHaveValue("/usb/voice.onnx"));
    await user.click(screen.getByRole("button", { name: "Import" }));
    await waitFor(() => expect(api.to("POST /models/{name}/import")[0]?.body).toEqual({ path: "/usb/voice.onnx" }));
    delete window.go;
  });
});

it("takes a voice of the catalogue into the list and downloads it where it stands", async () => {
  const item = { key: "de_DE-eva-low", name: "eva_k", language: "de-DE", quality: "x_low", speakers: 1, size_mb: 21, license: "", registered: false };
  const model = absent({ model_name: "piper-de_DE-eva-low", display_name: "Eva", engine: "piper" });
  const { user, api } = show([], "#/models?tab=more", {
    "GET /models/catalogue": { items: [item], total: 1, next_cursor: null }, "POST /models/register": model, "POST /models/download": {},
  });
  await user.click(await screen.findByRole("button", { name: "Download 21 MB: Eva k (x low)" }));
  await waitFor(() => expect(api.to("POST /models/download")).toHaveLength(1));
  expect(api.to("POST /models/register")[0]?.body).toEqual({ catalogue: "piper", key: "de_DE-eva-low" });
});

describe("the voices of a model", () => {
  const voice = (id: string, part: object = {}) => ({ id, name: id, language: "en-US", gender: "female", usable: true, reason: "", ...part });
  const detail = { ...aModel(), voices_list: [voice("Heart"), voice("Adam", { gender: "male" }), voice("Odd", { usable: false, reason: "This build has no Chinese." })] };

  it("stand there before the model does, and say when they can be heard", async () => {
    show([absent()], "#/models/kokoro?tab=more", { "GET /models/{name}": detail });
    const list = await screen.findByRole("region", { name: "Voices" });
    expect(list).toHaveTextContent(/as soon as the model is here\..*Heart.*Female.*Adam.*Male/);
    expect(within(list).queryByRole("button")).toBeNull();
  });

  it("can be heard, and one that has no profile is taken among the voices", async () => {
    const heart = aProfile({ preset_voice_id: "kokoro#Heart" });
    const { api, user } = show([ready()], "#/models/kokoro", {
      "GET /models/{name}": detail, "GET /profiles": page([heart]), "GET /profiles/{id}/preview": reply(404, { code: "model_corrupt", detail: "", remedy: "", params: {} }),
      "POST /profiles": (call: { body: { name: string } }) => (call.body.name === "Adam" ? reply(409, { code: "name_taken", detail: "", remedy: "", params: {} }) : aProfile({ name: call.body.name })),
    });
    const list = await screen.findByRole("region", { name: "Voices" });
    expect(list).toHaveTextContent("This build has no Chinese.");
    await user.click(await within(list).findByRole("button", { name: "Play Heart" }));
    await waitFor(() => expect(api.to("GET /profiles/{id}/preview")[0]?.params.id).toBe(heart.id));
    expect(await within(list).findByRole("alert")).toHaveTextContent("A file of this model is missing or was changed.");
    await user.click(within(list).getByRole("button", { name: "Add Adam to the voices" }));
    await waitFor(() => expect(api.to("POST /profiles").map((call) => (call.body as { name: string }).name)).toEqual(["Adam", "Adam (Kokoro)"]));
    expect(api.to("POST /profiles")[1]?.body).toMatchObject({ voice_type: "preset", model_name: "kokoro", preset_voice_id: "Adam" });
  });
});

it("a model of one's own files that lost them is taken anew under its name", async () => {
  const mine = absent({ model_name: "mine", display_name: "Mine", variant: "imported", repo_id: "" }); // as the server says after its next start
  const { api, user } = show([mine], "#/models", {
    "DELETE /models/{name}": reply(404, { code: "model_unknown", detail: "", remedy: "", params: {} }), "POST /models/import": ready({ model_name: "mine" }),
  });
  await user.click(await screen.findByRole("button", { name: "Import again: Mine" }));
  const dialog = await screen.findByRole("dialog", { name: "Import mine again" });
  await user.type(within(dialog).getByLabelText("Path"), "/usb/voice.onnx{Enter}");
  await waitFor(() => expect(api.to("POST /models/import")[0]?.body).toEqual({ path: "/usb/voice.onnx", name: "mine" }));
  expect(api.to("DELETE /models/{name}")[0]?.params.name).toBe("mine");
});
