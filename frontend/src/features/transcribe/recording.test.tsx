import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { keys } from "@/api/keys";
import { recorder } from "@/api/recordings";
import type { Recording } from "@/api/types";
import { aTranscript, reply } from "@/test";
import { fakeWindow, open, slowSettings } from "./testKit";

const recording: Recording = {
  id: "r1",
  status: "recording",
  purpose: "transcript",
  device: "",
  seconds: 3,
  level_db: -30,
  peak_db: -12,
  clipped: false,
  dropped: 0,
  error: null,
};
const devices = { items: [{ id: "usb", name: "Desk microphone", default: false }] };

beforeEach(fakeWindow);
beforeEach(() => act(() => recorder.done()));

const start = async (routes: Record<string, unknown> = {}) => {
  const view = open({
    "GET /recordings/{id}": { ...recording, status: "stopped" },
    "GET /recordings/devices": devices,
    "POST /recordings": reply(201, recording),
    "GET /recordings/{id}/events": () =>
      new Response(`data: ${JSON.stringify({ ...recording, seconds: 65, clipped: true })}\n\n`),
    "POST /recordings/{id}/pause": { ...recording, status: "paused" },
    "POST /recordings/{id}/resume": recording,
    "POST /recordings/{id}/stop": { ...recording, status: "stopped" },
    "DELETE /recordings/{id}": reply(204),
    ...routes,
  });
  await view.user.click(await screen.findByRole("button", { name: "Record" }));
  const panel = await screen.findByRole("dialog", { name: "Record from a microphone" });
  return { ...view, panel };
};

it("records from a chosen microphone, pauses, and transcribes when it stops", async () => {
  const made = aTranscript();
  const { api, user, panel } = await start({
    "POST /transcriptions": reply(202, made),
    "GET /transcriptions/{id}": made,
  });
  await within(panel).findByRole("option", { name: "Desk microphone" });
  await user.selectOptions(within(panel).getByLabelText("Microphone"), "Desk microphone");
  await user.click(within(panel).getByRole("button", { name: "Start recording" }));
  const bar = await screen.findByRole("region", { name: "Recording" });
  expect(api.to("POST /recordings")[0]?.body).toEqual({ purpose: "transcript", device: "usb" });
  await waitFor(() => expect(within(bar).getByText("1:05")).toBeVisible());
  expect(within(bar).getByText(/^Too loud/)).toBeVisible();
  expect(within(bar).getByRole("meter", { name: "Level" })).toHaveAttribute("aria-valuenow", "-30");
  await user.click(within(bar).getByRole("button", { name: "Pause" }));
  await waitFor(() => expect(within(bar).getByText("Recording paused")).toBeVisible());
  await user.click(within(bar).getByRole("button", { name: "Stop and transcribe" }));
  await waitFor(() => expect(location.hash).toBe(`#/transcribe/${made.id}`));
  expect(api.to("POST /recordings/{id}/stop")).toHaveLength(1);
  expect(api.to("POST /transcriptions")[0]?.body).toEqual({
    recording_id: "r1",
    model_name: "whisper-base",
    download: false,
    timestamps: "word",
  });
  expect(screen.queryByRole("region", { name: "Recording" })).toBeNull();
});

it("of before a reload waits for the settings, which name the default model", async () => {
  const made = aTranscript();
  const { routes, respond } = slowSettings();
  const { api, client, user } = open({
    ...routes,
    "GET /recordings/{id}": { ...recording, status: "stopped" },
    "GET /recordings/{id}/events": () => new Response(""),
    "POST /transcriptions": reply(202, made),
    "GET /transcriptions/{id}": made,
  });
  await act(() => recorder.reopen("r1"));
  await waitFor(() => expect(client.getQueryData(keys.modelStatus)).toBeDefined());
  const button = screen.getByRole("button", { name: "Transcribe" });
  expect(button).toBeDisabled();
  respond();
  await waitFor(() => expect(button).toBeEnabled());
  await user.click(button);
  await waitFor(() => expect(location.hash).toBe(`#/transcribe/${made.id}`));
  expect(api.to("POST /transcriptions").map((call) => call.body)).toEqual([
    { recording_id: "r1", model_name: "whisper-base", download: false, timestamps: "word" },
  ]);
});

it("is discarded without a transcript, which can be undone", async () => {
  const { api, user, panel } = await start();
  await user.click(await within(panel).findByRole("button", { name: "Start recording" }));
  await user.click(await screen.findByRole("button", { name: "Discard" }));
  await waitFor(() => expect(screen.queryByRole("region", { name: "Recording" })).toBeNull());
  expect(api.to("DELETE /recordings/{id}")).toHaveLength(0);
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await user.click(await screen.findByRole("button", { name: "Discard" }));
  await screen.findByText("Recording discarded");
  await user.click(screen.getByRole("button", { name: "Close" }));
  await waitFor(() => expect(api.to("DELETE /recordings/{id}")).toHaveLength(1));
  expect(api.to("POST /transcriptions")).toHaveLength(0);
});

it("is shown again after an undone discard, once another recording is done", async () => {
  const { api, user, panel } = await start();
  await user.click(await within(panel).findByRole("button", { name: "Start recording" }));
  await user.click(await screen.findByRole("button", { name: "Discard" }));
  await waitFor(() => expect(screen.queryByRole("region", { name: "Recording" })).toBeNull());
  const other = { ...recording, id: "r2" };
  api.set("POST /recordings", reply(201, other));
  api.set("GET /recordings/{id}/events", () => new Response(`data: ${JSON.stringify(other)}\n\n`));
  await user.click(screen.getByRole("button", { name: "Record" }));
  await user.click(await screen.findByRole("button", { name: "Start recording" }));
  await screen.findByRole("region", { name: "Recording" });
  const asked = () => api.to("GET /recordings/{id}").filter(({ path }) => path.endsWith("/r1")).length;
  const before = asked();
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(asked()).toBe(before);
  await user.click(screen.getByRole("button", { name: "Discard" }));
  await waitFor(() => expect(asked()).toBeGreaterThan(before));
  await waitFor(() => expect(screen.getByRole("region", { name: "Recording" })).toBeVisible());
});

it("says that there is no microphone", async () => {
  const { panel } = await start({ "GET /recordings/devices": { items: [] } });
  await waitFor(() => expect(within(panel).getByText(/^No microphone found/)).toBeVisible());
  expect(within(panel).getByRole("button", { name: "Start recording" })).toBeDisabled();
});
