import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { keys } from "@/api/keys";
import { runCommand } from "@/lib/commands";
import { fakeApi, renderWithProviders, reply, type Handler } from "@/test";
import { DictationBar } from "./DictationBar";
import { isTextField } from "./insertText";

const state = (status: string) => ({ status, shortcut: "", error: null });

/** The page with a field and the bar; `status` is what the server says. */
function show(routes: Record<string, Handler>) {
  let status = "idle";
  const api = fakeApi({
    "GET /dictation": () => state(status),
    "POST /dictation/start": () => state((status = "recording")),
    ...routes,
  });
  const view = renderWithProviders(
    <>
      <input aria-label="Notes" />
      <DictationBar />
    </>,
  );
  const changed = (next: string) => {
    status = next;
    return view.client.invalidateQueries({ queryKey: keys.dictation });
  };
  return { ...view, api, changed };
}

afterEach(() => vi.restoreAllMocks());

describe("dictation in the page", () => {
  it("types what was said into the field that was focused last", async () => {
    const typed = vi.fn(() => true);
    document.execCommand = typed;
    const { user, api, changed } = show({
      "POST /dictation/stop": { text: "Hello there.", at: "2026-01-01T00:00:00Z" },
    });
    await user.click(screen.getByLabelText("Notes"));
    act(() => runCommand("dictate"));
    await waitFor(() => expect(screen.getByText("Listening. The microphone is open.")).toBeVisible());
    expect(api.to("POST /dictation/start")[0]?.body).toEqual({ target: "page" });
    await user.click(screen.getByRole("button", { name: "Stop" }));
    await changed("idle");
    await vi.waitFor(() => expect(typed).toHaveBeenCalledWith("insertText", false, "Hello there."), {
      timeout: 60_000,
    });
    expect(screen.getByLabelText("Notes")).toHaveFocus();
    await vi.waitFor(() => expect(screen.queryByText("Listening. The microphone is open.")).toBeNull(), {
      timeout: 60_000,
    });
  });

  it("shows the text when no field was focused", async () => {
    const { user, changed } = show({ "POST /dictation/stop": { text: "Hello there.", at: "" } });
    await changed("recording");
    await user.click(await screen.findByRole("button", { name: "Stop" }));
    await changed("idle");
    await waitFor(() => expect(screen.getByText(/You said: Hello there\./)).toBeVisible());
    await user.click(screen.getByRole("button", { name: "Close" }));
    expect(screen.queryByText(/You said/)).toBeNull();
  });

  it("shows a dictation of another window, which can be cancelled", async () => {
    const { user, api, changed } = show({ "POST /dictation/cancel": state("idle") });
    await changed("transcribing");
    await waitFor(() => expect(screen.getByText("Writing down what you said…")).toBeVisible());
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    expect(api.to("POST /dictation/cancel")).toHaveLength(1);
  });

  it("says that there is no microphone", async () => {
    show({
      "POST /dictation/start": () => reply(503, { code: "no_audio_device", detail: "None.", remedy: "", params: {} }),
    });
    act(() => runCommand("dictate"));
    await waitFor(() => expect(screen.getByText(/microphone/i)).toBeVisible());
  });

  it("says that the model is missing before anybody speaks", async () => {
    const params = { reason: "dictation", model_name: "whisper-base" };
    show({
      "POST /dictation/start": () => reply(409, { code: "model_not_downloaded", detail: "", remedy: "", params }),
    });
    act(() => runCommand("dictate"));
    await waitFor(() => expect(screen.getByText(/transcription model that dictation needs/i)).toBeVisible());
  });
});

it("types into text fields only", () => {
  const made = (html: string) => {
    document.body.innerHTML = html;
    return document.body.firstElementChild;
  };
  expect(isTextField(made("<textarea></textarea>"))).toBe(true);
  expect(isTextField(made("<input type='search'>"))).toBe(true);
  expect(isTextField(made("<input type='checkbox'>"))).toBe(false);
  expect(isTextField(made("<textarea readonly></textarea>"))).toBe(false);
  expect(isTextField(made("<button>x</button>"))).toBe(false);
});
