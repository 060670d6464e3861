import { describe, expect, it, vi } from "vitest";
import { prefs } from "@/lib/prefs";
import { listenToMenu, menuActions } from "./menu";

describe("the window's menu", () => {
  it("runs its items until the listener is removed", () => {
    const listeners = new Map<string, () => void>();
    const stop = vi.fn();
    window.runtime = {
      EventsOn: (event, listener) => {
        listeners.set(event, listener);
        return stop;
      },
    };
    const end = listenToMenu();
    expect([...listeners.keys()].sort()).toEqual(Object.keys(menuActions).sort());
    listeners.get("menu:settings")?.();
    expect(location.hash).toBe("#/settings");
    listeners.get("menu:zoom-in")?.();
    expect(prefs.get().zoom).toBe(1.1);
    listeners.get("menu:zoom-reset")?.();
    expect(prefs.get().zoom).toBe(1);
    end();
    expect(stop).toHaveBeenCalledTimes(listeners.size);
    delete window.runtime;
  });

  it("does not exist in a browser", () => {
    expect(() => listenToMenu()()).not.toThrow();
  });
});
