import { afterEach, expect, it, vi } from "vitest";
import { prefs } from "@/lib/prefs";
import { keepZoom, zoomBy } from "./zoom";

const address = () => Promise.resolve({ url: "", token: "" });
const size = () => document.documentElement.style.zoom;
const press = (key: string) => window.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey: true }));
let stop: (() => void) | undefined;

afterEach(() => {
  stop?.();
  delete window.go;
  prefs.set({ zoom: 1 });
});

it("shows the stored size at the start, and stores each change", async () => {
  window.go = { desktop: { Bridge: { Address: address } } };
  prefs.set({ zoom: 1.5 });
  stop = keepZoom();
  await vi.waitFor(() => expect(size()).toBe("1.5"), { timeout: 60_000 });
  press("+");
  await vi.waitFor(() => expect(size()).toBe("1.75"), { timeout: 60_000 });
  expect(JSON.parse(localStorage.getItem("voicewright.prefs") ?? "{}")).toMatchObject({ zoom: 1.75 });
  press("0");
  await vi.waitFor(() => expect(size()).toBe("1"), { timeout: 60_000 });
  for (let i = 0; i < 9; i++) press("-");
  await vi.waitFor(() => expect(size()).toBe("0.8"), { timeout: 60_000 });
});

it("leaves the size to a web view that can zoom", async () => {
  const SetZoom = vi.fn(() => Promise.resolve(true));
  window.go = { desktop: { Bridge: { Address: address, SetZoom } } };
  stop = keepZoom();
  zoomBy(1);
  await vi.waitFor(() => expect(SetZoom).toHaveBeenLastCalledWith(1.1), { timeout: 60_000 });
  await vi.waitFor(() => expect(size()).toBe("1"), { timeout: 60_000 });
});

it("leaves the keys of a browser alone", () => {
  stop = keepZoom();
  press("+");
  expect(prefs.get().zoom).toBe(1);
});
