import { afterEach, expect, it, vi } from "vitest";
import { aGeneration } from "@/test/fixtures";
import { fakeApi } from "@/test/fakeApi";
import { exportGenerations } from "./history";
import { saveAs } from "./save";

afterEach(() => {
  delete window.go;
});

function theWindow() {
  const bridge = {
    Address: vi.fn(),
    SaveAnswer: vi.fn(async () => "/home/me/all.zip"),
    SaveText: vi.fn(async () => ""),
  };
  window.go = { desktop: { Bridge: bridge } };
  return bridge;
}

it("lets the shell save what the window cannot download", async () => {
  const api = fakeApi({});
  const bridge = theWindow();
  await exportGenerations(["a", "b"], { format: "mp3" }, "Two");
  expect(bridge.SaveAnswer).toHaveBeenCalledWith(
    "Two.zip",
    "POST",
    "/history/export",
    expect.stringMatching(/^\{"ids":\["a","b"\],"export_id":"[0-9a-f-]{36}","format":"mp3"\}$/),
  );
  await saveAs(aGeneration({ title: "A/B", text: "Words." }), { format: "txt" }, "speech");
  expect(bridge.SaveText).toHaveBeenCalledWith("A B.txt", "Words.");
  expect(api.calls).toEqual([]);
});

it("reports why the shell could not save", async () => {
  const bridge = theWindow();
  bridge.SaveAnswer.mockRejectedValue({ code: "insufficient_disk", detail: "Full.", remedy: "", params: {} });
  await expect(exportGenerations(["a"], { format: "wav" }, "One")).rejects.toMatchObject({ code: "insufficient_disk" });
});
