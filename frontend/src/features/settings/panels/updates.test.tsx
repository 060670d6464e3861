import { screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { fakeApi, page, renderWithProviders, reply } from "@/test";
import Settings from "..";

const address = "https://example.org/updates.json";
const newer = {
  current: "1.3.0",
  status: "newer",
  version: "1.4.0",
  date: "2026-11-20",
  page: "https://example.org/download",
  notes: "Faster.\n<img src=x onerror=alert(1)>",
};

let server: ReturnType<typeof fakeApi>;
beforeEach(() => {
  server = fakeApi({
    "GET /settings": {},
    "GET /profiles": page([]),
    "GET /health": { status: "ok", version: "1.3.0" },
    "GET /updates": { address },
    "POST /updates/check": newer,
  });
});
const checks = () => server.to("POST /updates/check").length;
const show = () => renderWithProviders(<Settings />, { hash: "#/settings/about" });
const button = (name = "Check now") => screen.findByRole("button", { name });

describe("the check for a new version", () => {
  it("is hidden in builds without an address, also from the search", async () => {
    server.set("GET /updates", { address: "" });
    const { user } = show();
    await screen.findByText("Version 1.3.0");
    expect(screen.queryByText("New versions")).toBeNull();
    await user.type(screen.getByRole("searchbox"), "new version");
    await waitFor(() => expect(screen.getByText("No matching settings")).toBeVisible());
    expect(checks()).toBe(0);
  });

  it("asks nobody before the click, and shows what is new as plain text", async () => {
    const open = vi.spyOn(window, "open").mockReturnValue(null);
    const { user, container } = show();
    const check = await button();
    expect(screen.getByText(/Asks example\.org only when you click/)).toBeVisible();
    expect(checks()).toBe(0);
    check.focus();
    await user.keyboard("{Enter}");
    await screen.findByText(/Version 1\.4\.0 is available, released on .*20.*\. You have 1\.3\.0\./);
    expect(screen.getByText(/<img src=x onerror=alert\(1\)>/)).toBeVisible();
    expect(container.querySelector("img")).toBeNull();
    expect(open).not.toHaveBeenCalled();
    await user.click(await button("Open the download page"));
    expect(open).toHaveBeenCalledWith("https://example.org/download", "_blank", "noopener");
    expect(checks()).toBe(1);
    open.mockRestore();
  });

  it.each([
    [{ status: "current", version: "1.3.0" }, "You have the newest version, 1.3.0."],
    [{ status: "current", version: "1.2.0" }, "You have the newest version, 1.3.0."],
    [
      { status: "none", version: "", date: "", page: "" },
      "No version for this system has been released yet. You have 1.3.0.",
    ],
  ])("offers no download where there is nothing newer: %o", async (part, words) => {
    server.set("POST /updates/check", { ...newer, ...part });
    const { user } = show();
    await user.click(await button());
    await waitFor(() => expect(screen.getByText(words)).toBeVisible());
    expect(screen.queryByRole("button", { name: "Open the download page" })).toBeNull();
    expect(screen.queryByText(/Faster/)).toBeNull();
  });

  it("says so where the versions cannot be compared", async () => {
    server.set("POST /updates/check", { ...newer, status: "unknown", current: "176b8ffb" });
    const { user } = show();
    await user.click(await button());
    await waitFor(() => expect(screen.getByText(/Your copy, 176b8ffb, was built between two versions/)).toBeVisible());
    await button("Open the download page");
  });

  it("can be stopped, and asked again", async () => {
    server.set("POST /updates/check", () => new Promise(() => {}));
    const { user } = show();
    const check = await button();
    await user.click(check);
    await waitFor(() => expect(screen.getByText("Checking for a new version…")).toBeVisible());
    await user.click(await button("Stop"));
    await waitFor(() => expect(screen.getByRole("button", { name: "Check now" })).toBe(check));
    expect(screen.queryByText("Checking for a new version…")).toBeNull();
    expect(screen.queryByRole("alert")).toBeNull();
    server.set("POST /updates/check", newer);
    await user.click(check);
    await waitFor(() => expect(screen.getByText(/Version 1\.4\.0 is available/)).toBeVisible());
  });

  it("says why it failed", async () => {
    server.set("POST /updates/check", () =>
      reply(503, { code: "offline", detail: "x", remedy: "y", params: { updates: true } }),
    );
    const { user } = show();
    await user.click(await button());
    await waitFor(() => expect(screen.getByText(/offline mode is on/)).toBeVisible());
    server.set("POST /updates/check", () =>
      reply(502, { code: "updates_unreachable", detail: "x", remedy: "y", params: { reason: "timeout" } }),
    );
    await user.click(await button());
    await waitFor(() => expect(screen.getByText("The server for new versions takes too long.")).toBeVisible());
    await waitFor(() => expect(screen.queryByText(/offline mode is on/)).toBeNull());
  });
});
