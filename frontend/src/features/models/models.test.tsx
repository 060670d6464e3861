import { act, screen, waitFor, within } from "@testing-library/react";
import i18next from "i18next";
import { describe, expect, it } from "vitest";
import { aModel, aProfile, page, reply } from "@/test";
import { absent, ready, show, system } from "./testKit";

describe("the screen", () => {
  it("shows the models folder, used and free space, and the machine's memory", async () => {
    show([ready()]);
    await waitFor(() => expect(screen.getByText("/home/me/models")).toBeVisible());
    expect(screen.getByRole("img", { name: "338 MB used, 6.4 GB free" })).toBeVisible();
    expect(screen.getByText(/CPU, 8 cores · 4 GB of 16 GB memory free/)).toBeVisible();
  });

  it("says how to start when no models are installed, and keeps the tab in the address", async () => {
    const { user } = show([absent()]);
    await screen.findByText("No models yet");
    await user.click(screen.getByRole("button", { name: "Get more" }));
    expect(location.hash).toContain("tab=more");
    await waitFor(() => expect(screen.getByRole("button", { name: "Download 338 MB: Kokoro" })).toBeVisible());
  });

  it("offers the variants of a model in one row, warns of a bad one, and shows what its licence allows", async () => {
    const fp16 = absent({ model_name: "kokoro-fp16", display_name: "Kokoro fp16", variant: "fp16", size_mb: 192 });
    const { user } = show([absent({ variant: "fp32", default: true }), fp16], "#/models?tab=more");
    const row = await screen.findByRole("listitem");
    expect(row).toHaveTextContent(/Kokoro.*Recommended.*2 variants.*Free for any use/);
    expect(row).not.toHaveTextContent(/Default|Not downloaded/);
    await user.click(screen.getByRole("button", { name: "Kokoro" }));
    await user.click(await screen.findByRole("radio", { name: "Half" }));
    expect(screen.getByRole("note")).toHaveTextContent("Fails on some texts.");
    expect(screen.getByRole("listitem", { current: false })).toHaveTextContent("Kokoro fp16");
    expect(screen.getAllByRole("button", { name: "Download 192 MB: Kokoro fp16" })).toHaveLength(2);
    expect(screen.getByText(/^Yes: needs about 620 MB/)).toBeVisible();
  });

  it("has what the button of a row does in its menu too", async () => {
    const { user, api } = show([ready()], "#/models", { "POST /models/load": {}, "POST /models/{name}/load": {} });
    const row = (await screen.findByRole("button", { name: "Kokoro" })).closest<HTMLElement>("li");
    await user.pointer({ keys: "[MouseRight]", target: row ?? document.body });
    await user.click(await screen.findByRole("menuitem", { name: "Load" }));
    await waitFor(() => expect(api.calls.some(({ path }) => path.endsWith("/load"))).toBe(true));
  });

  it("refetches when the window gets the focus", async () => {
    const { api } = show([ready()]);
    await screen.findByRole("button", { name: "Kokoro" });
    const before = api.to("GET /models/status").length;
    act(() => {
      window.dispatchEvent(new Event("focus"));
    });
    await waitFor(() => expect(api.to("GET /models/status").length).toBeGreaterThan(before));
  });

  it("lists the files of a model with sizes and hashes", async () => {
    const detail = {
      ...aModel(),
      voices_list: [],
      files: [{ repo_id: "acme/kokoro", path: "onnx/model.onnx", bytes: 325e6, sha256: "8fbea51e".padEnd(64, "0") }],
    };
    show([ready()], "#/models/kokoro", { "GET /models/{name}": detail });
    const files = await screen.findByRole("region", { name: "Files" });
    expect(files).toHaveTextContent("onnx/model.onnx325 MB8fbea51e");
  });

  it("says what the model that finds speakers is for", async () => {
    const speakers = absent({
      model_name: "speakers",
      display_name: "Speakers",
      engine: "diarize",
      family: "speakers",
      languages: [],
      voices: 0,
    });
    const files = ["a/segmentation", "b/voices"].map((repo_id) => ({
      repo_id,
      path: "model.onnx",
      bytes: 6e6,
      sha256: "",
    }));
    const detail = { ...speakers, voices_list: [], files };
    show([speakers], "#/models/speakers?tab=more&language=en", { "GET /models/{name}": detail });
    await waitFor(() => expect(screen.getByRole("heading", { name: "Finds speakers" })).toBeVisible());
    await waitFor(() =>
      expect(screen.getByText((words) => words.startsWith("Finds who said what · any language"))).toBeVisible(),
    );
    const list = await screen.findByRole("region", { name: "Files" });
    expect(list).toHaveTextContent("model.onnxa/segmentation");
    expect(list).toHaveTextContent("model.onnxb/voices");
    await i18next.changeLanguage("de");
    await waitFor(() => expect(screen.getByRole("heading", { name: "Erkennt Sprecher" })).toBeVisible());
    expect(
      screen.getByText((words) => words.startsWith("Findet heraus, wer was gesagt hat · jede Sprache")),
    ).toBeVisible();
  });

  it("does not offer what this program cannot speak with", async () => {
    show(
      [
        absent(),
        absent({
          model_name: "whisper-tiny",
          display_name: "Whisper tiny",
          engine: "whisper",
          family: "transcription",
          supported: false,
        }),
      ],
      "#/models?tab=more",
    );
    await screen.findByRole("button", { name: "Kokoro" });
    expect(screen.queryByText("Whisper tiny")).toBeNull();
  });

  it("offers what the server says it can speak with, whatever its name", async () => {
    show([absent({ model_name: "new", display_name: "Newcomer", engine: "newcomer" })], "#/models?tab=more");
    await waitFor(() => expect(screen.getByRole("button", { name: "Newcomer" })).toBeVisible());
  });

  it("says why a model does not fit, also to a screen reader", async () => {
    show([absent({ fits: "no", memory_mb: { estimate: 20_000, measured: null } })], "#/models?tab=more");
    await waitFor(() =>
      expect(screen.getByText("Doesn’t fit: needs about 20 GB of memory, this machine has 16 GB")).toBeInTheDocument(),
    );
    expect(screen.getByText("Needs 20 GB of memory")).toBeVisible();
  });

  it("finds by words and reports no matches", async () => {
    const { user } = show([
      ready(),
      ready({ model_name: "kitten-nano", display_name: "KittenTTS nano", engine: "kitten" }),
    ]);
    await user.type(await screen.findByRole("searchbox"), "kitten");
    await waitFor(() => expect(screen.queryByRole("button", { name: "Kokoro" })).toBeNull());
    await user.type(screen.getByRole("searchbox"), " zzz");
    await user.click(await screen.findByRole("button", { name: "Clear filters" }));
    await waitFor(() => expect(screen.getByRole("button", { name: "Kokoro" })).toBeVisible());
  });

  it("says that it is offline", async () => {
    show([ready()], "#/models", { "GET /system": { ...system, offline: true } });
    await waitFor(() => expect(screen.getByText(/Offline mode is on/)).toBeVisible());
  });

  it("speaks German", async () => {
    await i18next.changeLanguage("de");
    show([ready()]);
    await waitFor(() => expect(screen.getByText("Bereit")).toBeVisible());
    expect(screen.getByText(/Natürliche Stimmen/)).toBeVisible();
  });
});

describe("an installed model", () => {
  it("lists the models in memory, each with an Unload button", async () => {
    const other = ready({
      model_name: "supertonic-3",
      display_name: "Supertonic 3",
      engine: "supertonic",
      state: "loaded",
      loaded: true,
      memory_mb: { estimate: 600, measured: 612 },
    });
    const { user, api } = show([ready(), other], "#/models", {
      "POST /models/load": reply(507, {
        code: "out_of_memory",
        detail: "x",
        remedy: "",
        params: { needed_mb: 3000, free_mb: 500 },
      }),
      "POST /models/unload": { model_name: "supertonic-3", loaded: false, freed_mb: 612 },
    });
    await user.click(await screen.findByRole("button", { name: "Load: Kokoro" }));
    await waitFor(() => expect(screen.getByText("Needs about 3 GB of memory, 500 MB free.")).toBeVisible());
    await user.click(screen.getByRole("button", { name: "Unload Supertonic 3, 612 MB" }));
    expect(api.to("POST /models/unload")[0]?.body).toEqual({ model_name: "supertonic-3" });
    await user.click(screen.getByRole("button", { name: "Load anyway" }));
    expect(api.to("POST /models/load")[1]?.body).toEqual({ model_name: "kokoro", force: true });
  });

  it("is deleted after a dialog that says how much space it frees and what stays", async () => {
    const { user, api } = show([ready()], "#/models", {
      "DELETE /models/{name}": { model_name: "kokoro", downloaded: false, freed_mb: 338 },
    });
    await user.click(await screen.findByRole("button", { name: "More for Kokoro" }));
    await user.click(await screen.findByRole("menuitem", { name: "Delete" }));
    const dialog = await screen.findByRole("dialog", { name: "Delete Kokoro?" });
    expect(within(dialog).getByText(/Voices that use it .* are kept/)).toBeVisible();
    await user.click(within(dialog).getByRole("button", { name: "Delete 338 MB" }));
    await waitFor(() => expect(api.to("DELETE /models/{name}")).toHaveLength(1));
  });

  it("shows its details: measured speed, licence, revision, and the state of the row", async () => {
    show([ready({ rtf: 0.09, memory_mb: { estimate: 620, measured: 612 } })], "#/models/kokoro");
    const facts = await screen.findByText("Measured on this machine");
    expect(facts.parentElement).toHaveTextContent("11 × faster than real time");
    expect(facts.parentElement).toHaveTextContent("612 MB");
    expect(screen.getByText("Apache-2.0")).toBeVisible();
    expect(screen.getByText("000000000000")).toBeVisible();
  });
});

describe("the voices of a model", () => {
  const voice = (id: string, part: object = {}) => ({
    id,
    name: id,
    language: "en-US",
    gender: "female",
    usable: true,
    reason: "",
    ...part,
  });
  const detail = {
    ...aModel(),
    voices_list: [
      voice("Heart"),
      voice("Adam", { gender: "male" }),
      voice("Odd", { usable: false, reason: "This build has no Chinese." }),
    ],
  };

  it("are listed before it is installed, and say when they can be previewed", async () => {
    show([absent()], "#/models/kokoro?tab=more", { "GET /models/{name}": detail });
    const list = await screen.findByRole("region", { name: "Voices" });
    expect(list).toHaveTextContent(/Download the model to listen to its voices\..*Heart.*Female.*Adam.*Male/);
    expect(within(list).queryByRole("button")).toBeNull();
  });

  it("can be previewed, and one without a profile can be added to the voices", async () => {
    const heart = aProfile({ preset_voice_id: "kokoro#Heart" });
    const { api, user } = show([ready()], "#/models/kokoro", {
      "GET /models/{name}": detail,
      "GET /profiles": page([heart]),
      "GET /profiles/{id}/preview": reply(404, { code: "model_corrupt", detail: "", remedy: "", params: {} }),
      "POST /profiles": (call: { body: { name: string } }) =>
        call.body.name === "Adam"
          ? reply(409, { code: "name_taken", detail: "", remedy: "", params: {} })
          : aProfile({ name: call.body.name }),
    });
    const list = await screen.findByRole("region", { name: "Voices" });
    expect(list).toHaveTextContent("This build has no Chinese.");
    await user.click(await within(list).findByRole("button", { name: "Play Heart" }));
    await waitFor(() => expect(api.to("GET /profiles/{id}/preview")[0]?.params.id).toBe(heart.id));
    await waitFor(() =>
      expect(within(list).getByRole("alert")).toHaveTextContent("A file of this model is missing or corrupt."),
    );
    await user.click(within(list).getByRole("button", { name: "Add Adam to Voices" }));
    await waitFor(() =>
      expect(api.to("POST /profiles").map((call) => (call.body as { name: string }).name)).toEqual([
        "Adam",
        "Adam (Kokoro)",
      ]),
    );
    expect(api.to("POST /profiles")[1]?.body).toMatchObject({
      voice_type: "preset",
      model_name: "kokoro",
      preset_voice_id: "Adam",
    });
  });
});
