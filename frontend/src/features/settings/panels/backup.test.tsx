import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import * as backup from "@/api/backup";
import { toApiError } from "@/api/errors";
import { fakeApi, page, renderWithProviders, reply } from "@/test";
import type { CheckedBackup } from "@/api/types";
import Settings from "..";

const counts = { generations: 3, transcripts: 2, profiles: 4, drafts: 1, pronunciations: 0, books: 5 };
const checked: CheckedBackup = {
  id: "018f0000-0000-7000-8000-000000000001",
  created_at: "2026-11-20T10:00:00Z",
  app_version: "1.3.0",
  bytes: 12_000_000,
  missing: 0,
  voice_prints: 2,
  holds: counts,
  present: { ...counts, generations: 1234 },
  network: [],
};

let server: ReturnType<typeof fakeApi>;
beforeEach(() => {
  server = fakeApi({
    "GET /settings": {},
    "GET /profiles": page([]),
    "GET /backup/size": { bytes: 12_000_000 },
    "GET /backup": "a zip",
    "GET /restore": { restoring: false, undone: false, former: "" },
    "POST /restore/{id}": reply(202, { restoring: true, undone: false, former: "" }),
    "DELETE /restore/{id}": reply(204),
  });
  vi.restoreAllMocks();
});
const show = () => renderWithProviders(<Settings />, { hash: "#/settings/storage" });
const file = new File(["PK"], "library.zip", { type: "application/zip" });
type User = ReturnType<typeof show>["user"];
const choose = async (user: User) => user.upload(await screen.findByLabelText("Backup to restore"), file);

describe("the use of the disk", () => {
  it("counts voice prints apart from the history", async () => {
    const use = { files: 0, bytes: 0, missing: 0 };
    server.set("GET /history/storage", {
      ...use,
      files: 3,
      bytes: 1_200_000,
      transcripts: use,
      books: { ...use, text_bytes: 0 },
      voice_prints: { ...use, files: 2, bytes: 12_000 },
    });
    show();
    await screen.findByText("3 files, 1.2 MB. Voice prints of 2 people: 12 kB.");
  });
});

describe("a backup", () => {
  it("says its size before it is saved", async () => {
    URL.createObjectURL = vi.fn(() => "blob:1");
    URL.revokeObjectURL = vi.fn();
    const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
    const { user } = show();
    await user.click(await screen.findByRole("button", { name: "Back up…" }));
    const question = await screen.findByRole("dialog", { name: "Back up the library" });
    await within(question).findByText("About 12 MB");
    expect(server.to("GET /backup")).toEqual([]);
    await user.click(within(question).getByRole("button", { name: "Save backup" }));
    await screen.findByText("Backup saved");
    expect(server.to("GET /backup")[0]?.query.get("export_id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(click).toHaveBeenCalledOnce();
  });

  it("has voice prints only where that is chosen, each time anew", async () => {
    URL.createObjectURL = vi.fn(() => "blob:1");
    URL.revokeObjectURL = vi.fn();
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
    server.set("GET /backup/size", ({ query }: { query: URLSearchParams }) => ({
      bytes: query.get("voice_prints") === "true" ? 13_000_000 : 12_000_000,
    }));
    const { user } = show();
    await user.click(await screen.findByRole("button", { name: "Back up…" }));
    const choice = await screen.findByRole("switch", { name: "Include voice prints" });
    expect(choice).not.toBeChecked();
    await user.click(choice);
    await screen.findByText("About 13 MB");
    await user.click(screen.getByRole("button", { name: "Save backup" }));
    await screen.findByText("Backup saved");
    expect(server.to("GET /backup")[0]?.query.get("voice_prints")).toBe("true");
    await user.click(screen.getByRole("button", { name: "Back up…" }));
    await waitFor(() => expect(screen.getByRole("switch", { name: "Include voice prints" })).not.toBeChecked());
    await user.click(screen.getByRole("button", { name: "Save backup" }));
    await waitFor(() => expect(server.to("GET /backup")).toHaveLength(2));
    expect(server.to("GET /backup")[1]?.query.get("voice_prints")).toBe("false");
  });

  it("can be stopped, which is no error", async () => {
    server.set("GET /backup", () => new Promise(() => {}));
    server.set("DELETE /exports/{id}", reply(204));
    const { user } = show();
    await user.click(await screen.findByRole("button", { name: "Back up…" }));
    await user.click(await screen.findByRole("button", { name: "Save backup" }));
    await screen.findByRole("progressbar", { name: "Backup" });
    await user.click(screen.getByRole("button", { name: "Stop" }));
    await waitFor(() => expect(server.to("DELETE /exports/{id}")).toHaveLength(1));
  });

  it("says why it failed", async () => {
    server.set("GET /backup", reply(507, { code: "insufficient_disk", detail: "x", remedy: "y", params: {} }));
    const { user } = show();
    await user.click(await screen.findByRole("button", { name: "Back up…" }));
    await user.click(await screen.findByRole("button", { name: "Save backup" }));
    await screen.findByText("There isn’t enough disk space.");
  });
});

describe("a restore", () => {
  it("shows what the backup holds, and replaces nothing before it is confirmed", async () => {
    vi.spyOn(backup, "checkBackup").mockResolvedValue(checked);
    const { user } = show();
    await choose(user);
    const question = await screen.findByRole("dialog", { name: "Replace the library with this backup?" });
    within(question).getByText(/Made on .*2026.* with version 1\.3\.0, 12 MB\./);
    within(question).getByText(/It has the voice prints of 2 people\./);
    within(question).getByRole("row", { name: "Generations 3 1,234" });
    within(question).getByRole("row", { name: "Books 5 5" });
    within(question).getByText(/it moves to “before-restore” in the data folder/);
    expect(within(question).queryByRole("checkbox")).toBeNull();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(server.to("DELETE /restore/{id}")).toHaveLength(1));
    expect(server.to("POST /restore/{id}")).toEqual([]);
  });

  it("reloads the page when it is done, with the network settings that were chosen", async () => {
    const reload = vi.spyOn(history, "go").mockImplementation(() => undefined);
    const change = { key: "hosted.base_url", here: "", backup: "https://speech.example.com" };
    vi.spyOn(backup, "checkBackup").mockResolvedValue({ ...checked, missing: 1, network: [change] });
    const { user } = show();
    await choose(user);
    const question = await screen.findByRole("dialog");
    within(question).getByText(/1 audio file was already missing then\./);
    within(question).getByText("Address of the hosted service: – → https://speech.example.com");
    await user.click(within(question).getByRole("checkbox", { name: "Take the network settings of the backup" }));
    await user.click(within(question).getByRole("button", { name: "Replace library" }));
    await waitFor(() => expect(reload).toHaveBeenCalledWith(0));
    expect(server.to("POST /restore/{id}").map((call) => call.body)).toEqual([{ network_settings: true }]);
  });

  it("says that the library is as before where the backup could not be opened", async () => {
    const reload = vi.spyOn(history, "go").mockImplementation(() => undefined);
    vi.spyOn(backup, "checkBackup").mockResolvedValue(checked);
    server.set("GET /restore", { restoring: false, undone: true, former: "" });
    const { user } = show();
    await choose(user);
    await user.click(await screen.findByRole("button", { name: "Replace library" }));
    await screen.findByText("The backup could not be opened; your library is as before.");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(reload).not.toHaveBeenCalled();
  });

  it("discards what was checked when Settings is closed before an answer", async () => {
    vi.spyOn(backup, "checkBackup").mockResolvedValue(checked);
    const { user, unmount } = show();
    await choose(user);
    await screen.findByRole("dialog");
    unmount();
    await waitFor(() => expect(server.to("DELETE /restore/{id}")).toHaveLength(1));
  });

  it("discards what was checked after the settings were left", async () => {
    let answer: (checked: CheckedBackup) => void = () => undefined;
    const sending = vi.spyOn(backup, "checkBackup").mockImplementation(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    const { user, unmount } = show();
    await choose(user);
    unmount();
    expect(sending.mock.calls[0]?.[1].signal.aborted).toBe(true);
    answer(checked);
    await waitFor(() => expect(server.to("DELETE /restore/{id}")).toHaveLength(1));
  });

  it("gives up when the server does not come back, or refuses the token", async () => {
    server.set("GET /restore", reply(503, { code: "internal", detail: "x", remedy: "y", params: {} }));
    vi.useFakeTimers();
    try {
      const waiting = expect(backup.restoreBackup(checked.id, false)).rejects.toMatchObject({ code: "unreachable" });
      await vi.advanceTimersByTimeAsync(125_000);
      await waiting;
    } finally {
      vi.useRealTimers();
    }
    server.set("GET /restore", reply(401, { code: "other", detail: "x", remedy: "y", params: {} }));
    await expect(backup.restoreBackup(checked.id, false)).rejects.toMatchObject({ status: 401 });
  });

  it.each([
    [{ code: "unsupported_media", params: { reason: "backup" } }, "This file isn’t a complete backup."],
    [
      { code: "database_newer", params: { reason: "backup" } },
      "This backup was made by a newer version of Voicewright.",
    ],
    [{ code: "insufficient_disk", params: {} }, "There isn’t enough disk space."],
    [{ code: "restore_in_progress", params: {} }, "A backup is already being restored."],
  ])("says why a file is refused: %o", async (problem, words) => {
    vi.spyOn(backup, "checkBackup").mockRejectedValue(toApiError({ ...problem, detail: "x", remedy: "y" }));
    const { user } = show();
    await choose(user);
    await screen.findByText(words);
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("can be stopped while it is checked", async () => {
    let signal: AbortSignal | undefined;
    vi.spyOn(backup, "checkBackup").mockImplementation((_, options) => {
      signal = options.signal;
      options.onProgress(0.5);
      return new Promise((_resolve, reject) => {
        options.signal.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
      });
    });
    const { user } = show();
    await choose(user);
    await screen.findByText("50% read");
    await user.click(screen.getByRole("button", { name: "Stop" }));
    await screen.findByRole("button", { name: "Choose file…" });
    expect(signal?.aborted).toBe(true);
    expect(screen.queryByRole("alert")).toBeNull();
  });
});
