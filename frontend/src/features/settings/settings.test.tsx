import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SettingInfo } from "@/api/settings";
import { aModel, fakeApi, page, renderWithProviders, reply } from "@/test";
import Settings from ".";
import { prefs } from "@/lib/prefs";
import { output, systemDevice } from "@/player";
import { fakeAudio, fakeDevices } from "@/test/fakeAudio";
import { secondsOf } from "@/lib/durations";
import { durationChoices } from "./durations";
import { matches } from "./entries";
import { curlLine } from "./panels/LocalApi";
import { readDocument } from "./panels/readDocument";

const info = (key: string, part: Partial<SettingInfo>): SettingInfo => ({
  key,
  value: "",
  type: "string",
  default: "",
  range: "",
  description: "",
  ...part,
});
const described = {
  "api.address": info("api.address", { default: "127.0.0.1:7411", range: "HOST:PORT" }),
  "api.allow_origins": info("api.allow_origins", {}),
  "history.retention": info("history.retention", {
    type: "duration",
    default: "-1",
    range: "a duration of at least 1h; -1 = for ever",
  }),
  "hosted.base_url": info("hosted.base_url", {}),
  "models.idle_unload": info("models.idle_unload", {
    type: "duration",
    default: "10m",
    range: "a duration; 0 = at once, -1 = never",
  }),
  "speech.default_voice": info("speech.default_voice", { default: "espeak:en-us" }),
  "speech.device": info("speech.device", { type: "enum", default: "auto", values: ["auto", "cpu"] }),
  "speech.new_thing": info("speech.new_thing", {
    type: "enum",
    default: "a",
    values: ["a", "b"],
    description: "Something of a newer server.",
  }),
};
const values = {
  "api.address": "127.0.0.1:7411",
  "api.allow_origins": "",
  "network.offline": false,
  "models.idle_unload": "30m",
  "speech.default_voice": "espeak:en-us",
  "speech.device": "auto",
  "speech.new_thing": "a",
};

let server: ReturnType<typeof fakeApi>;
beforeEach(() => {
  server = fakeApi({
    "GET /settings": (call: { query: URLSearchParams }) => (call.query.has("describe") ? described : values),
    "PUT /settings": {},
    "GET /profiles": page([]),
  });
});
const sent = () => server.to("PUT /settings").map((call) => call.body);

describe("rows of the server", () => {
  it("shows an enum as a select that applies at once", async () => {
    const { user } = renderWithProviders(<Settings />, { hash: "#/settings/devices" });
    await user.selectOptions(await screen.findByRole("combobox", { name: "Speech runs on" }), "Processor");
    expect(sent()).toEqual([{ "speech.device": "cpu" }]);
  });

  it("shows a duration in words, and accepts one that is not listed", async () => {
    const { user } = renderWithProviders(<Settings />, { hash: "#/settings/speech" });
    const choice = await screen.findByRole<HTMLSelectElement>("combobox", { name: "Keep models in memory" });
    await waitFor(() => expect(choice.selectedOptions[0]).toHaveTextContent("30 minutes"));
    await user.selectOptions(choice, "Another time…");
    await user.clear(screen.getByRole("textbox", { name: "Keep models in memory" }));
    await user.type(screen.getByRole("textbox", { name: "Keep models in memory" }), "45m{Enter}");
    expect(sent()).toEqual([{ "models.idle_unload": "45m" }]);
  });

  it("saves a text on Enter, and shows why it is refused", async () => {
    server.set("PUT /settings", () =>
      reply(422, { detail: [{ loc: ["body", "api.address"], msg: "Input should be HOST:PORT", type: "value_error" }] }),
    );
    const { user } = renderWithProviders(<Settings />, { hash: "#/settings/api" });
    const field = await screen.findByRole("textbox", { name: "Address after restart" });
    await user.clear(field);
    await user.type(field, "nonsense{Enter}");
    await waitFor(() => expect(screen.getByText(/Enter host:port/)).toBeVisible());
  });

  it("resets to the default", async () => {
    const { user } = renderWithProviders(<Settings />, { hash: "#/settings/speech" });
    await user.click(await screen.findByRole("button", { name: "Reset Keep models in memory to default" }));
    expect(sent()).toEqual([{ "models.idle_unload": null }]);
    expect(screen.queryByRole("button", { name: "Reset Default voice to default" })).toBeNull();
  });

  it("shows a setting that this page does not know, and none that is not available yet", async () => {
    renderWithProviders(<Settings />, { hash: "#/settings/speech" });
    await waitFor(() => expect(screen.getByRole("combobox", { name: "New thing" })).toBeVisible());
    expect(screen.getByText("Something of a newer server.")).toBeVisible();
    expect(screen.queryByText(/base url/i)).toBeNull();
  });
});

describe("the retention of the history", () => {
  const choice = () => screen.findByRole<HTMLSelectElement>("combobox", { name: "Keep history for" });
  beforeEach(() =>
    server.set("GET /history", (call: { query: URLSearchParams }) => ({
      items: [],
      total: call.query.get("of_book") !== "false" ? 99 : call.query.get("favorite") === "true" ? 2 : 12,
      next_cursor: null,
    })),
  );

  it("asks for confirmation before it deletes, also for a typed value", async () => {
    const { user } = renderWithProviders(<Settings />, { hash: "#/settings/storage" });
    await user.selectOptions(await choice(), "Another time…");
    const field = screen.getByRole("textbox", { name: "Keep history for" });
    await user.clear(field);
    await user.type(field, "36h{Enter}");
    const question = await screen.findByRole("dialog", { name: "Keep only 36 hours of history?" });
    await waitFor(() => expect(within(question).getByText(/^12 generations older than/)).toBeVisible());
    expect(within(question).getByText(/The audio of books is kept until you delete the book\.$/)).toBeVisible();
    expect(sent()).toEqual([]);
    await user.click(within(question).getByRole("button", { name: "Cancel" }));
    expect(sent()).toEqual([]);
    await user.selectOptions(await choice(), "30 days");
    await user.click(await screen.findByRole("button", { name: "Delete 12 generations" }));
    await waitFor(() => expect(sent()).toEqual([{ "history.retention": "720h" }]));
  });

  it("is extended without confirmation", async () => {
    server.set("GET /settings", (call: { query: URLSearchParams }) =>
      call.query.has("describe") ? described : { ...values, "history.retention": "168h0m0s" },
    );
    const { user } = renderWithProviders(<Settings />, { hash: "#/settings/storage" });
    await user.selectOptions(await choice(), "Forever");
    await waitFor(() => expect(sent()).toEqual([{ "history.retention": "-1" }]));
  });

  it("says so when nothing is that old yet", async () => {
    server.set("GET /history", { items: [], total: 0, next_cursor: null });
    const { user } = renderWithProviders(<Settings />, { hash: "#/settings/storage" });
    await user.selectOptions(await choice(), "365 days");
    await waitFor(() => expect(screen.getByText(/so nothing will be deleted now/)).toBeVisible());
    await user.click(screen.getByRole("button", { name: "Keep 365 days" }));
    await waitFor(() => expect(sent()).toEqual([{ "history.retention": "8760h" }]));
  });
});

it("searches settings in all groups", async () => {
  const { user } = renderWithProviders(<Settings />, { hash: "#/settings" });
  await user.type(await screen.findByRole("searchbox", { name: "Search settings" }), "memory");
  const speech = await screen.findByRole("region", { name: "Speech" });
  expect(within(speech).getByRole("combobox", { name: "Keep models in memory" })).toBeVisible();
  expect(within(speech).queryByRole("combobox", { name: "Default voice" })).toBeNull();
  await user.type(screen.getByRole("searchbox"), "xyz");
  expect(screen.getByText("No matching settings")).toBeVisible();
});

it("accepts more origins, and shows what is wrong with an invalid one", async () => {
  server.set("PUT /settings", () =>
    reply(422, { detail: [{ loc: ["body", "api.allow_origins"], msg: "no", type: "value_error" }] }),
  );
  const { user } = renderWithProviders(<Settings />, { hash: "#/settings" });
  await user.type(await screen.findByRole("searchbox", { name: "Search settings" }), "allowed websites");
  await user.type(await screen.findByRole("textbox", { name: "Allowed websites" }), "page.example{Enter}");
  expect(sent()).toEqual([{ "api.allow_origins": "page.example" }]);
  await waitFor(() => expect(screen.getByText(/^Enter addresses such as/)).toBeVisible());
});

it("chooses the model that checks audio from a list, which is shown while audio is checked", async () => {
  const all = {
    ...described,
    "speech.verify": info("speech.verify", { type: "boolean", default: "false" }),
    "speech.verify_model": info("speech.verify_model", { default: "whisper-base" }),
  };
  let now: Record<string, unknown> = { ...values, "speech.verify": false, "speech.verify_model": "whisper-base" };
  server.set("GET /settings", (call: { query: URLSearchParams }) => (call.query.has("describe") ? all : now));
  server.set("PUT /settings", (call: { body: unknown }) => (now = { ...now, ...(call.body as object) }));
  const whisper = (name: string) =>
    aModel({ model_name: name, display_name: name, family: "transcription", downloaded: false, size_mb: 148 });
  server.set("GET /models/status", { models: [whisper("whisper-base"), whisper("whisper-small")] });
  server.set("GET /transcriptions/model", { model_name: "whisper-base", downloaded: false, named: true });
  const { user } = renderWithProviders(<Settings />, { hash: "#/settings/speech" });
  const check = await screen.findByRole("switch", { name: "Proof-listening" });
  expect(screen.queryByRole("combobox", { name: "Check with" })).toBeNull();
  await user.click(check);
  await user.selectOptions(await screen.findByRole("combobox", { name: "Check with" }), "whisper-small · 148 MB");
  expect(sent()).toEqual([{ "speech.verify": true }, { "speech.verify_model": "whisper-small" }]);
});

it("lists what leaves the device, without a network request", async () => {
  const { user } = renderWithProviders(<Settings />, { hash: "#/settings/network" });
  await user.click(await screen.findByRole("button", { name: "Show" }));
  await waitFor(() =>
    expect(screen.getByText(/^Your texts, your voices and your audio stay on this machine/)).toBeVisible(),
  );
  expect(screen.getByText(/^the model hub: huggingface.co/)).toBeVisible();
});

describe("offline mode", () => {
  it("can be turned on", async () => {
    server.set("GET /system", { offline: false });
    const { user } = renderWithProviders(<Settings />, { hash: "#/settings/network" });
    await user.click(await screen.findByRole("switch", { name: "Offline mode" }));
    expect(sent()).toEqual([{ "network.offline": true }]);
  });

  it("set at the start cannot be turned off, and says so", async () => {
    server.set("GET /system", { offline: true });
    renderWithProviders(<Settings />, { hash: "#/settings/network" });
    await waitFor(() => expect(screen.getByRole("switch", { name: "Offline mode", checked: true })).toBeDisabled());
    expect(screen.getByText(/--offline/)).toBeVisible();
  });
});

it("shows the groups as a select in a narrow window", async () => {
  const wide = window.matchMedia;
  window.matchMedia = ((query: string) => ({ ...wide(query), matches: false })) as typeof window.matchMedia;
  const { user } = renderWithProviders(<Settings />, { hash: "#/settings/about" });
  const choice = await screen.findByRole("combobox", { name: "Settings groups" });
  expect(choice).toHaveValue("about");
  await user.selectOptions(choice, "Devices");
  await waitFor(() => expect(screen.getByRole("region", { name: "Devices" })).toBeVisible());
  expect(screen.queryByRole("navigation")).toBeNull();
  window.matchMedia = wide;
});

it("scrolls the row that the address names into view", async () => {
  const seen: (string | null)[] = [];
  vi.spyOn(Element.prototype, "scrollIntoView").mockImplementation(function (this: Element) {
    seen.push(this.textContent);
  });
  renderWithProviders(<Settings />, { hash: "#/settings/speech/models.idle_unload" });
  await waitFor(() => expect(seen.join()).toContain("Keep models in memory"));
  vi.restoreAllMocks();
});

it("shows the data folder in the file manager from the desktop window", async () => {
  const ShowFile = vi.fn(() => Promise.resolve());
  window.go = { desktop: { Bridge: { Address: () => Promise.resolve({ url: "", token: "" }), ShowFile } } };
  server.set("GET /system", { paths: { data: "/home/a/voicewright" }, disk: null });
  const { user, unmount } = renderWithProviders(<Settings />, { hash: "#/settings/storage" });
  await user.click(await screen.findByRole("button", { name: "Show in folder" }));
  expect(ShowFile).toHaveBeenCalledWith("/home/a/voicewright");
  unmount();
  delete window.go;
  renderWithProviders(<Settings />, { hash: "#/settings/storage" });
  await waitFor(() => expect(screen.getByRole("button", { name: "Copy path" })).toBeVisible());
  expect(screen.queryByRole("button", { name: "Show in folder" })).toBeNull();
});

it("lists the shortcuts of all screens", async () => {
  renderWithProviders(<Settings />, { hash: "#/settings/keyboard" });
  for (const [where, line] of [
    ["Studio", "Change pronunciation"],
    ["Script", "Next speaker"],
    ["History", "Select several"],
    ["Voices", "Preview the voice"],
    ["Everywhere", "Go to Models"],
  ] as const) {
    expect(within(await screen.findByRole("group", { name: where })).getByText(line)).toBeVisible();
  }
});

it("searches without accents and parses durations", () => {
  expect(matches("loschen", "Verlauf löschen")).toBe(true);
  expect(secondsOf("1h30m")).toBe(5400);
  expect(["+36h", "1.5h", "720h0m0s", "-1"].map(secondsOf)).toEqual([129_600, 5400, 2_592_000, -1]);
  expect(["soon", "5", "1h x"].map(secondsOf)).toEqual([null, null, null]);
  expect(durationChoices("models.idle_unload", "", "7m")[0]).toBe("7m");
  expect(durationChoices("x.y", "a duration", "10m")).not.toContain("-1");
});

it("shows a curl command that works", () => {
  expect(curlLine("http://127.0.0.1:7411", "abc")).toBe(
    "curl -H 'Authorization: Bearer abc' http://127.0.0.1:7411/profiles",
  );
  expect(curlLine("http://127.0.0.1:7411", "")).toBe("curl http://127.0.0.1:7411/profiles");
});

it("keeps the tables of licences apart", () => {
  const tables = readDocument(
    "# T\n\n## Go\n\nBuilt in:\n\n| m | l |\n|---|---|\n| `a` | MIT |\n\nFor tests only:\n\n| m | l |\n|---|---|\n| b | BSD |\n",
  );
  expect(tables).toEqual([
    {
      title: "Go",
      notes: ["Built in:"],
      rows: [
        ["m", "l"],
        ["a", "MIT"],
      ],
    },
    {
      title: "",
      notes: ["For tests only:"],
      rows: [
        ["m", "l"],
        ["b", "BSD"],
      ],
    },
  ]);
});

describe("the output device", () => {
  const titled = () => screen.findByRole("group", { name: "Output device" });

  it("is that of the system where the browser cannot choose", async () => {
    renderWithProviders(<Settings />, { hash: "#/settings/general" });
    expect(await titled()).toHaveTextContent("The sound settings of your system choose the device");
    expect(screen.queryByLabelText("Output device", { selector: "select" })).toBeNull();
  });

  describe("in a browser that can choose", () => {
    let isAllowed = false;
    let end: () => void = () => undefined;
    const stopTrack = vi.fn();
    const named = [
      { kind: "audiooutput", deviceId: "default", label: "Default" },
      { kind: "audioinput", deviceId: "mic", label: "Microphone" },
      { kind: "audiooutput", deviceId: "headset", label: "Headset" },
    ];
    const getUserMedia = vi.fn(() => Promise.resolve({ getTracks: () => [{ stop: stopTrack }] }));
    beforeEach(() => {
      isAllowed = false;
      const audio = fakeAudio();
      audio.devices = ["headset"];
      end = fakeDevices(audio);
      getUserMedia.mockClear();
      vi.stubGlobal("navigator", {
        ...navigator,
        language: "en",
        mediaDevices: {
          addEventListener: () => undefined,
          enumerateDevices: () => Promise.resolve(isAllowed ? named : [{ ...named[0], deviceId: "", label: "" }]),
          getUserMedia,
        },
      });
    });
    afterEach(() => {
      output.setDevice(systemDevice);
      end();
    });

    it("is chosen among those that it names once it may use the microphone, and remembered", async () => {
      const { user } = renderWithProviders(<Settings />, { hash: "#/settings/general" });
      const row = within(await titled());
      expect(row.queryByRole("combobox")).toBeNull();
      expect(getUserMedia).not.toHaveBeenCalled(); // before the person asks
      isAllowed = true;
      await user.click(row.getByRole("button", { name: "Find devices" }));
      await user.selectOptions(await row.findByRole("combobox"), "Headset");
      expect(stopTrack).toHaveBeenCalled();
      expect(prefs.get().outputDevice).toEqual({ id: "headset", label: "Headset" });
      expect(row.getAllByRole("option").map((option) => option.textContent)).toEqual(["System default", "Headset"]);
      await user.click(row.getByRole("button", { name: /^Reset Output device/ }));
      expect(prefs.get().outputDevice.id).toBe("");
    });

    it("stays that of the system where the microphone is refused, which is said", async () => {
      getUserMedia.mockRejectedValueOnce(new DOMException("", "NotAllowedError"));
      const { user } = renderWithProviders(<Settings />, { hash: "#/settings/general" });
      const row = within(await titled());
      await user.click(row.getByRole("button", { name: "Find devices" }));
      await waitFor(() => expect(row.getByText(/names no devices/)).toBeVisible());
    });
  });
});
