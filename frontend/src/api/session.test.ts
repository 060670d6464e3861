import { renderHook } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";

afterEach(() => history.replaceState(null, "", "/"));

/** Opens the page at an address, as a browser does: every module reads it anew. */
async function openAt(hash: string) {
  history.replaceState(null, "", `/${hash}`);
  vi.resetModules();
  const [{ session }, { useRoute }] = await Promise.all([import("./session"), import("@/lib/router")]);
  await session.open();
  return { session, route: () => renderHook(useRoute).result.current };
}

it("is on the home screen at an address with a token, at the start and in an open window", async () => {
  const { session, route } = await openAt("#token=secret");
  expect(session.get().token).toBe("secret");
  expect(location.hash).toBe("");
  expect(route()).toMatchObject({ screen: "studio", segments: [] });
  history.pushState(null, "", "#/history/1?search=x");
  window.dispatchEvent(new HashChangeEvent("hashchange"));
  expect(route()).toMatchObject({ screen: "history", segments: ["1"] });
  history.pushState(null, "", "#token=other");
  window.dispatchEvent(new HashChangeEvent("hashchange"));
  expect(session.get().token).toBe("other");
  expect(location.hash).toBe("");
  expect(route()).toMatchObject({ screen: "studio", segments: [] });
});

it("reads the address of an unknown screen as that of the home screen", async () => {
  const { route } = await openAt("#/nothing/here?draft=1");
  const { setScreens } = await import("@/lib/router");
  setScreens(["studio", "history"]);
  expect(route()).toEqual({ screen: "studio", segments: [], query: new URLSearchParams() });
});
