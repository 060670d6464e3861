import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { applyDownloadEvent, applyGenerationEvent, clearDownloads } from "@/api/live";
import { session } from "@/api/session";
import { aGeneration, aModel, fakeApi, page, renderWithProviders, reply, type Handler } from "@/test";
import { App } from "./App";
import { useCommands } from "@/lib/commands";
import { Jobs } from "./Jobs";
import { ShortcutHelp } from "./ShortcutHelp";

/** A stream that stays open until the test closes it. */
function stream() {
  let end: () => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      end = () => {
        try {
          controller.close();
        } catch {
          /* closed already */
        }
      };
    },
  });
  return { response: () => new Response(body), end: () => end() };
}

const quiet: Record<string, Handler> = {
  "GET /history": page([]),
  "GET /settings": {},
  "GET /system": {},
  "GET /models/status": { models: [] },
  "GET /profiles": page([]),
  "GET /drafts": page([]),
  "GET /scripts": page([]),
};

function open(hash: string, routes: Record<string, Handler>) {
  const api = fakeApi({ ...quiet, ...routes });
  return { api, ...renderWithProviders(<App />, { hash }) };
}

beforeEach(() => act(() => session.give("right")));
afterEach(() => vi.useRealTimers());

describe("the rail", () => {
  it("marks the Studio while its script mode is open", async () => {
    open("#/script", { "GET /events": () => stream().response() });
    await waitFor(() => expect(screen.getByRole("link", { name: "Studio" })).toHaveAttribute("aria-current", "page"));
    expect(screen.getByRole("link", { name: "Voices" })).not.toHaveAttribute("aria-current");
  });
});

it("opens a text file in the Studio from another screen with Ctrl+O", async () => {
  const choose = vi.spyOn(HTMLInputElement.prototype, "click").mockReturnValue(undefined);
  const { user } = open("#/script", { "GET /events": () => stream().response() });
  await screen.findByRole("textbox", { name: /^Turn 1,/ });
  await user.keyboard("{Control>}o{/Control}");
  await waitFor(() => expect(choose).toHaveBeenCalled());
  expect(location.hash).toBe("#/studio");
});

describe("the list of jobs", () => {
  afterEach(() =>
    act(() => {
      clearDownloads();
    }),
  );

  it("shows the speed and remaining time of a download, and cancels it", async () => {
    const api = fakeApi({
      ...quiet,
      "GET /models/status": { models: [aModel()] },
      "POST /models/{name}/pause": {},
      "POST /models/{name}/cancel": {},
    });
    const { user } = renderWithProviders(<Jobs />);
    act(() => {
      applyDownloadEvent({ model_name: "kokoro", status: "downloading", current: 31e6, total: 100e6 }, 1000);
      applyDownloadEvent(
        {
          model_name: "kokoro",
          status: "downloading",
          current: 43e6,
          total: 100e6,
          bytes_per_second: 12e6,
          eta_seconds: 4.75,
        },
        2000,
      );
    });
    await user.click(screen.getByRole("button", { name: "1 job" }));
    await waitFor(() => expect(screen.getByText("43 of 100 MB · 12 MB/s · 5 s left")).toBeVisible());
    await user.click(await screen.findByRole("button", { name: "Cancel the download of Kokoro" }));
    expect(screen.queryByRole("button", { name: "1 job" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Close" }));
    await waitFor(() => expect(api.to("POST /models/{name}/cancel")).toHaveLength(1));
  });

  it("shows that a download waits for the network", async () => {
    fakeApi({ ...quiet, "GET /models/status": { models: [aModel()] } });
    const { user } = renderWithProviders(<Jobs />);
    act(() =>
      applyDownloadEvent({
        model_name: "kokoro",
        status: "downloading",
        current: 5e6,
        total: 100e6,
        retry: {
          attempt: 3,
          of: 0,
          wait_seconds: 9,
          code: "download_failed",
          detail: "Fetching a file failed.",
          network_lost: true,
        },
      }),
    );
    await user.click(screen.getByRole("button", { name: "1 job" }));
    await waitFor(() =>
      expect(screen.getByText(/No network connection\. The download resumes when it is back/)).toBeVisible(),
    );
  });

  it("names models and texts", async () => {
    const made = aGeneration({ text: "The lamp was lit", status: "generating" });
    fakeApi({
      ...quiet,
      "GET /models/status": { models: [aModel({ model_name: "kokoro-int8", display_name: "Kokoro small" })] },
      "GET /generate/{id}": made,
    });
    const { user } = renderWithProviders(<Jobs />);
    act(() => {
      applyDownloadEvent({ model_name: "kokoro-int8", status: "downloading", current: 5_000_000, total: 92_000_000 });
      applyGenerationEvent({ id: made.id, status: "generating", progress: 0.4 });
    });
    await user.click(screen.getByRole("button", { name: "2 jobs" }));
    await waitFor(() => expect(screen.getByText("5 of 92 MB")).toBeVisible());
    await waitFor(() => expect(screen.getByRole("button", { name: "Stop “The lamp was lit”" })).toBeVisible());
    expect(screen.queryByText(/kokoro-int8/)).toBeNull();
    act(() => applyGenerationEvent({ id: made.id, status: "complete", progress: 1 }));
  });
});

describe("the list of shortcuts", () => {
  function Filled() {
    useCommands([
      { id: "a", title: "Choose a voice", shortcut: "v", run: () => undefined },
      { id: "b", title: "Choose a voice", shortcut: "mod+j", run: () => undefined },
    ]);
    return <ShortcutHelp open onOpenChange={() => undefined} />;
  }

  it("has one line per action, with all of its keys", () => {
    renderWithProviders(<Filled />);
    expect(screen.getAllByText("Choose a voice")).toHaveLength(1);
    expect(screen.getByText("V")).toBeVisible();
    expect(screen.getByText("Ctrl J")).toBeVisible();
  });

  it("has each shortcut once, with what it does on this screen", () => {
    function Opening() {
      useCommands([{ id: "studio:open", title: "Open a file", shortcut: "mod+o", run: () => undefined }]);
      return <ShortcutHelp open onOpenChange={() => undefined} />;
    }
    renderWithProviders(<Opening />);
    expect(screen.getAllByText("Ctrl O")).toHaveLength(1);
    expect(screen.getByText("Open a file")).toBeVisible();
  });
});

describe("keys for the screens", () => {
  it("are chords of two keys, and leave typed text alone", async () => {
    const { user } = open("#/models", {
      "GET /events": () => stream().response(),
      "GET /history": page([aGeneration()]),
    });
    await screen.findByRole("link", { name: "Studio" });
    vi.useFakeTimers({ toFake: ["Date"] }); // so that the two keys count as one chord on a busy machine as well
    await user.keyboard("gh");
    await waitFor(() => expect(location.hash).toMatch(/^#\/history/));
    await user.type(await screen.findByRole("textbox", { name: "Search history" }), "gm");
    expect(location.hash).toMatch(/^#\/history/);
    await user.keyboard("{Control>},{/Control}");
    expect(location.hash).toBe("#/settings");
  });
});

describe("the token screen", () => {
  const asks =
    (right: string): Handler =>
    (call: { headers: Headers }) =>
      call.headers.get("Authorization") === `Bearer ${right}`
        ? stream().response()
        : reply(401, { code: "unauthorized", detail: "no", remedy: "", params: {} });
  const checks =
    (right: string): Handler =>
    (call: { headers: Headers }) =>
      call.headers.get("Authorization") === `Bearer ${right}`
        ? {}
        : reply(401, { code: "unauthorized", detail: "no", remedy: "", params: {} });

  it("asks again after a wrong token and does not clear it", async () => {
    act(() => session.give(""));
    const { user } = open("#/settings", { "GET /events": asks("right"), "GET /settings": checks("right") });
    const field = await screen.findByLabelText("Access token");
    await user.type(field, "wrong{Enter}");
    await waitFor(() => expect(screen.getByText("That token is incorrect.")).toBeVisible());
    expect(field).toHaveValue("wrong");
    await user.clear(field);
    await user.type(field, "right{Enter}");
    await waitFor(() => expect(screen.queryByLabelText("Access token")).toBeNull());
  });

  it("explains over the page that the program has restarted and the token is no longer valid", async () => {
    const first = stream();
    const { api } = open("#/settings", { "GET /events": () => first.response() });
    await screen.findByRole("link", { name: "Studio" });
    await waitFor(() => expect(api.to("GET /events")).toHaveLength(1));
    api.set("GET /events", asks("another"));
    first.end();
    await waitFor(() => expect(screen.getByText(/was restarted and needs its new access token/)).toBeVisible());
    expect(document.querySelector(".f-rail")).not.toBeNull(); // the page with the unsaved text is still behind it
    act(() => session.refuse("")); // a request that the page sends meanwhile without a token
    expect(screen.getByText(/was restarted and needs its new access token/)).toBeVisible();
  });
});

describe("a program that isn’t responding", () => {
  it("is reported after a moment, and can be retried at once", async () => {
    const first = stream();
    const { api, user } = open("#/settings", { "GET /events": () => first.response() });
    await waitFor(() => expect(api.to("GET /events")).toHaveLength(1));
    api.set("GET /events", () => {
      throw new TypeError("connection refused");
    });
    first.end();
    await waitFor(() => expect(screen.getByText(/isn’t responding/)).toBeVisible());
    const asked = api.to("GET /events").length;
    api.set("GET /events", () => stream().response());
    await user.click(screen.getByRole("button", { name: "Try now" }));
    await waitFor(() => expect(api.to("GET /events").length).toBe(asked + 1));
    await waitFor(() => expect(screen.queryByText(/isn’t responding/)).toBeNull());
  });
});
