import { act, fireEvent, renderHook, screen, waitFor, within } from "@testing-library/react";
import { Profiler } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useScript } from "@/api/scripts";
import type { Chunk, Generation, Script } from "@/api/types";
import { prefs } from "@/lib/prefs";
import { aGeneration, fakeApi, renderWithProviders, type Handler } from "@/test";
import { ExportDialog } from "./ExportDialog";
import { PlayerBar } from "./PlayerBar";
import { useMarkOlder } from "./older";
import { closeExportQuestion, setSoundChoice } from "./soundExport";
import { playhead } from "./state";
import { player } from "./store";

let sound: HTMLAudioElement;
const take = (element: HTMLAudioElement) => {
  sound = element;
};

beforeEach(() => {
  vi.spyOn(HTMLMediaElement.prototype, "play").mockImplementation(function (this: HTMLAudioElement) {
    take(this);
    this.dispatchEvent(new Event("play"));
    return Promise.resolve();
  });
});
afterEach(() =>
  act(() => {
    player.close();
    player.setVolume(1);
  }),
);

const chunk = (start: number, takes: number, take = 0): Chunk => ({
  text: `from ${start}`,
  start,
  end: start + 2,
  take,
  takes,
});
const made = (part: Partial<Generation> = {}) =>
  aGeneration({ duration: 60, chunks: [chunk(0, 1), chunk(2, 3, 1)], ...part });

function show(generation: Generation, routes: Record<string, Handler> = {}) {
  const api = fakeApi({
    "GET /history/{id}/peaks": {
      peaks: [
        [-0.2, 0.9],
        [-0.5, 0.1],
      ],
    },
    "GET /system": { encoders: ["wav", "flac", "mp3", "opus", "m4a"] },
    ...routes,
  });
  let renders = 0;
  const view = renderWithProviders(
    <Profiler
      id="bar"
      onRender={() => {
        renders += 1;
      }}
    >
      <PlayerBar />
      <ExportDialog />
    </Profiler>,
  );
  act(() => player.load(generation, { play: true }));
  return { api, renders: () => renders, ...view };
}

function moveTo(seconds: number) {
  act(() => {
    Object.defineProperty(sound, "currentTime", { value: seconds, writable: true, configurable: true });
    sound.dispatchEvent(new Event("timeupdate"));
  });
}

describe("the playhead", () => {
  it("moves without rendering, and the time is correct", () => {
    const { renders } = show(made());
    const before = renders();
    for (let i = 0; i < 60; i += 1) moveTo(3 + i / 61);
    expect(renders() - before).toBeLessThanOrEqual(2); // one for the second and one for the chunk
    expect(playhead.get()).toBeCloseTo(3.97, 1);
    expect(screen.getByRole("slider", { name: "Position" })).toHaveAttribute("aria-valuetext", "0:03 / 1:00");
  });

  it("moves with the keys", () => {
    show(made());
    const slider = screen.getByRole("slider", { name: "Position" });
    moveTo(10);
    fireEvent.keyDown(slider, { key: "ArrowRight" });
    expect(playhead.get()).toBe(15);
    fireEvent.keyDown(slider, { key: "End" });
    expect(playhead.get()).toBe(60);
  });
});

describe("the waveform", () => {
  it("stays while the waveform of a changed text is read", async () => {
    const former = made({ audio_path: "/a/g.wav" });
    const { api, container } = show(former);
    await waitFor(() => expect(api.to("GET /history/{id}/peaks")).toHaveLength(1));
    const drawn = () => container.querySelector(".p-bars path")?.getAttribute("d");
    await waitFor(() => expect(drawn()).not.toMatch(/v0\.1(M|$)/));
    const before = drawn();
    api.set("GET /history/{id}/peaks", () => new Promise(() => undefined));
    act(() => player.update({ ...former, text: "New.", audio_path: "/a/g.1.wav" }));
    await waitFor(() => expect(api.to("GET /history/{id}/peaks")).toHaveLength(2));
    expect(drawn()).toBe(before);
  });
});

describe("another version of the generation", () => {
  it("plays on at the same words, with its own file and waveform", async () => {
    const former = made({ audio_path: "/a/g.wav" });
    const { api } = show(former);
    moveTo(2.5);
    await waitFor(() => expect(api.to("GET /history/{id}/peaks")).toHaveLength(1));
    const inserted = { ...chunk(0, 1), text: "New." };
    const moved = [inserted, { ...chunk(2, 1), text: "from 0" }, { ...chunk(4, 1), text: "from 2" }];
    act(() => player.update({ ...former, text: "New.", chunks: moved, audio_path: "/a/g.1.wav" }));
    expect(sound.src).toContain("version=1");
    expect(playhead.get()).toBe(4.5);
    expect(player.get().playing).toBe(true);
    await waitFor(() => expect(api.to("GET /history/{id}/peaks")).toHaveLength(2));
    act(() => player.update(former)); // it was undone
    expect(sound.src).not.toContain("version");
    expect(playhead.get()).toBe(2.5);
  });

  it("leaves a player alone that has another generation, or this version", () => {
    const generation = made();
    show(generation);
    moveTo(3);
    const { src } = sound;
    act(() => player.update(made({ audio_path: "/a/other.1.wav" })));
    act(() => player.update({ ...generation, favorite: true, audio_url: "/audio/a?exp=2" }));
    expect(sound.src).toBe(src);
    expect(playhead.get()).toBe(3);
  });
});

describe("takes", () => {
  it("can be chosen while a chunk with several of them plays", async () => {
    const generation = made();
    const { api, user } = show(generation, {
      "PATCH /history/{id}": { ...generation, chunks: [chunk(0, 1), chunk(2, 3, 2)] },
    });
    expect(screen.queryByRole("button", { name: /Take|take/ })).toBeNull();
    moveTo(2.5);
    await user.click(screen.getByRole("button", { name: "Passage 2: take 2. Choose another" }));
    await waitFor(() => expect(screen.getByRole("radio", { name: /Take 2/ })).toBeChecked());
    moveTo(1); // the playhead moves on, the menu stays
    await user.click(screen.getByRole("radio", { name: /Take 3/ }));
    await waitFor(() => expect(api.to("PATCH /history/{id}")[0]?.body).toEqual({ chunks: { 1: { take: 2 } } }));
    await waitFor(() => expect(screen.getByRole("radio", { name: /Take 3/ })).toBeChecked());
    expect(playhead.get()).toBe(1);
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("button", { name: /take 3/ })).toBeNull();
    // Keeps the layout of the waveform.
    expect(screen.getByText("Take 1").closest("button")).toHaveStyle({ visibility: "hidden" });
  });

  it("that cannot be chosen show the reason", async () => {
    const { user } = show(made());
    moveTo(2.5);
    await user.click(screen.getByRole("button", { name: /take 2/ }));
    await user.click(await screen.findByRole("radio", { name: /Take 1/ }));
    await waitFor(() => expect(screen.getByRole("alert")).toBeVisible());
  });
});

describe("export", () => {
  const names = () => screen.getAllByRole("menuitem").map((item) => item.textContent);
  afterEach(() => {
    delete window.go;
    closeExportQuestion();
    setSoundChoice({ format: "wav", bitrate: 0, loudness: 0 });
  });

  it("says that it exports the previous version while the screen shows a newer text", () => {
    const one = made();
    show(one);
    const screenOf = renderHook(() => useMarkOlder(one.id, true));
    expect(screen.getByRole("button", { name: "Export old version" })).toBeVisible();
    screenOf.unmount();
    expect(screen.getByRole("button", { name: "Export WAV" })).toBeVisible();
  });

  it("saves in a format, bit rate and loudness, which are remembered", async () => {
    const { api, user } = show(made({ title: "The keeper" }), {
      "GET /system": { os: "linux", encoders: ["wav", "mp3"] },
      "GET /history/{id}/export": () => new Response("sound"),
    });
    const saved = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
    URL.createObjectURL = () => "blob:x";
    await waitFor(() => expect(api.to("GET /system")).toHaveLength(1));
    const asked = (n: number) => Object.fromEntries(api.to("GET /history/{id}/export")[n]?.query ?? []);
    await user.click(screen.getByRole("button", { name: "Export WAV" }));
    await waitFor(() => expect(saved).toHaveBeenCalledTimes(1));
    expect(asked(0)).toEqual({ format: "wav", export_id: expect.any(String) as string });
    await user.click(screen.getByRole("button", { name: "More export options" }));
    expect(names()).toEqual(["Export options…", "Save as SRT", "Save as VTT", "Save as TXT", "Copy text"]);
    await user.click(screen.getByRole("menuitem", { name: "Export options…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Export audio" }));
    expect(dialog.getByText(/^FLAC, OPUS, M4A need a free program, FFmpeg/)).toBeVisible();
    expect(dialog.getByRole("link", { name: "Install FFmpeg" })).toBeVisible();
    expect(dialog.queryByLabelText("Bit rate")).toBeNull();
    await user.selectOptions(dialog.getByLabelText("Format"), "mp3");
    await user.selectOptions(dialog.getByLabelText("Bit rate"), "128");
    await user.selectOptions(dialog.getByLabelText("Loudness"), "-14");
    await user.click(dialog.getByRole("button", { name: "Export MP3" }));
    await waitFor(() => expect(saved).toHaveBeenCalledTimes(2));
    expect((saved.mock.instances[1] as unknown as HTMLAnchorElement).download).toBe("The keeper.mp3");
    expect(asked(1)).toMatchObject({ format: "mp3", bitrate: "128", loudness: "-14" });
    await user.click(screen.getByRole("button", { name: "Export MP3" })); // remembered
    await waitFor(() => expect(asked(2)).toEqual({ ...asked(1), export_id: expect.any(String) as string }));
    expect(JSON.parse(localStorage.getItem("voicewright.export") ?? "{}")).toMatchObject({ loudness: -14 });
  });

  it("asks for another format where the remembered one cannot be written", async () => {
    setSoundChoice({ format: "mp3", bitrate: 0, loudness: 0 });
    const { api, user } = show(made(), { "GET /system": { os: "linux", encoders: ["wav"] } });
    await waitFor(() => expect(api.to("GET /system")).toHaveLength(1));
    await user.click(screen.getByRole("button", { name: "Export MP3" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Export audio" }));
    expect(dialog.getByRole("alert")).toHaveTextContent("need a free program, FFmpeg");
    expect(dialog.getByRole("button", { name: "Export MP3" })).toBeDisabled();
    expect(api.to("GET /history/{id}/export")).toHaveLength(0);
  });

  it("reports the error, and keeps the audio", async () => {
    const { user } = show(made());
    await user.click(screen.getByRole("button", { name: "Export WAV" }));
    await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("This item no longer exists."));
    expect(screen.getByRole("button", { name: "Pause" })).toBeEnabled();
  });

  it("copies the text", async () => {
    const { user } = show(made({ text: "Two words" }));
    await user.click(screen.getByRole("button", { name: "More export options" }));
    await user.click(screen.getByRole("menuitem", { name: "Copy text" }));
    expect(await navigator.clipboard.readText()).toBe("Two words");
    await waitFor(() => expect(screen.getByText("Text copied.")).toBeVisible());
  });

  it("copies the file to the clipboard in the desktop window only", async () => {
    const plain = show(made());
    await plain.user.click(screen.getByRole("button", { name: "More export options" }));
    expect(screen.queryByRole("menuitem", { name: "Copy audio" })).toBeNull();
    plain.unmount();
    const CopyFile = vi.fn(() => Promise.resolve());
    window.go = { desktop: { Bridge: { Address: () => Promise.reject(new Error("unused")), CopyFile } } };
    const { user } = show(made({ audio_path: "/data/a.wav" }));
    await user.click(screen.getByRole("button", { name: "More export options" }));
    await user.click(screen.getByRole("menuitem", { name: "Copy audio" }));
    expect(CopyFile).toHaveBeenCalledWith("/data/a.wav");
    await waitFor(() => expect(screen.getByText(/^Audio file copied/)).toBeVisible());
  });

  it("shows the file in the file manager from the desktop window", async () => {
    const ShowFile = vi.fn(() => Promise.reject({ code: "not_found", detail: "gone", remedy: "" }));
    window.go = { desktop: { Bridge: { Address: () => Promise.reject(new Error("unused")), ShowFile } } };
    const { user } = show(made({ audio_path: "/data/a.wav" }));
    await user.click(screen.getByRole("button", { name: "More export options" }));
    await user.click(screen.getByRole("menuitem", { name: "Show in folder" }));
    expect(ShowFile).toHaveBeenCalledWith("/data/a.wav");
    await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("This item no longer exists."));
  });
});

describe("volume", () => {
  it("is set by a slider and remembered in this window", async () => {
    const { user } = show(made());
    await user.click(screen.getByRole("button", { name: "Volume 100%" }));
    const slider = screen.getByRole("slider", { name: "Volume" });
    act(() => slider.focus());
    await user.keyboard("{ArrowLeft}{ArrowLeft}");
    expect(sound.volume).toBeCloseTo(0.9);
    expect(prefs.get().volume).toBeCloseTo(0.9);
    expect(JSON.parse(localStorage.getItem("voicewright.prefs") ?? "{}")).toMatchObject({ volume: 0.9 });
  });
});

describe("an expired audio address", () => {
  const script = (turns: Generation[]): Script => ({
    id: "s1",
    title: "Talk",
    gap_ms: 300,
    turns,
    audio_url: "/audio/s1?exp=2",
    audio_path: "/s1.wav",
    duration: 60,
    sample_rate: 24000,
    created_at: "2026-11-20T10:00:00Z",
    updated_at: "2026-11-20T10:00:00Z",
    can_undo: false,
    speakers: [],
    receipt: null,
  });
  afterEach(() => vi.useRealTimers());

  it("is renewed from its generation, and the position is kept", async () => {
    vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ["Date"] });
    const generation = made();
    const { api } = show(generation, { "GET /history/{id}": { ...generation, audio_url: "/audio/new" } });
    moveTo(7);
    act(() => {
      sound.dispatchEvent(new Event("error"));
    });
    await waitFor(() => expect(sound.src).toContain("/audio/new"));
    expect(playhead.get()).toBe(7);
    expect(api.to("GET /scripts/{id}")).toHaveLength(0);
  });

  it("of a joined script comes from the script", async () => {
    vi.useFakeTimers({ now: Date.now() + 120_000, toFake: ["Date"] });
    const turn = made();
    fakeApi({ "GET /scripts/{id}": script([turn]) });
    function Seen() {
      useScript("s1");
      return null;
    }
    const seen = renderWithProviders(<Seen />);
    await waitFor(() => expect(seen.client.isFetching()).toBe(0));
    seen.unmount();
    const { api, user } = show(
      { ...turn, id: "s1", audio_url: "/audio/s1?exp=1", chunks: [chunk(0, 1)] },
      { "GET /scripts/{id}": script([turn]) },
    );
    act(() => {
      sound.dispatchEvent(new Event("error"));
    });
    await waitFor(() => expect(sound.src).toContain("exp=2"));
    expect(api.to("GET /history/{id}")).toHaveLength(0);
    await waitFor(() => expect(api.to("GET /history/{id}/peaks")[0]?.params.id).toBe(turn.id)); // the turns' waveform
    await user.click(screen.getByRole("button", { name: "More export options" }));
    expect(screen.getAllByRole("menuitem").map((item) => item.textContent)).toContain("Save as SRT");
  });
});
