import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { aDraft, aGeneration, aProfile, fakeApi, page, renderWithProviders, reply } from "@/test";
import Script from ".";

const voice = aProfile({ name: "Heart" });
let server: ReturnType<typeof fakeApi>;
beforeEach(() => {
  server = fakeApi({
    "GET /drafts": page([]), "POST /drafts": (call: { body: unknown }) => aDraft(call.body as object), "PUT /drafts/{id}": (call: { body: unknown; params: Record<string, string> }) => aDraft({ ...(call.body as object), id: call.params.id ?? "" }),
    "GET /profiles": page([voice]), "GET /models/status": { models: [] }, "GET /system": { encoders: ["wav"] },
  });
});
const open = () => renderWithProviders(<Script />, { hash: `#/script?new=${Math.random()}` });
const turn = (n: number) => screen.findByRole("textbox", { name: new RegExp(`^Turn ${n},`) });

it("writes a dialogue with the keyboard alone, and keeps it as a draft", async () => {
  const { user } = open();
  await user.type(await turn(1), "Hello there.{Enter}");
  expect(await turn(2)).toHaveFocus();
  expect(await turn(2)).toHaveAccessibleName("Turn 2, Guest");
  await user.keyboard("{Tab}");
  expect(await turn(2)).toHaveAccessibleName("Turn 2, Host");
  await user.keyboard("{Backspace}");
  expect(screen.queryByRole("textbox", { name: /^Turn 2/ })).toBeNull();
  expect(await turn(1)).toHaveFocus();
  await user.keyboard("{Escape}");
  expect(screen.getByRole("button", { name: "Turn 1: Host speaks. Change" })).toHaveFocus();
  await waitFor(() => expect(server.to("POST /drafts")[0]?.body).toMatchObject({ name: "Hello there.", content: { kind: "script" } }), { timeout: 3000 });
});

it("splits a pasted dialogue into turns", async () => {
  open();
  fireEvent.paste(await turn(1), { clipboardData: { getData: () => "Anna: Hello.\nBen: Yes." } });
  expect(await turn(1)).toHaveAccessibleName("Turn 1, Anna");
  expect(await turn(2)).toHaveValue("Yes.");
  expect(screen.getByText("2 turns pasted")).toBeInTheDocument();
});

it("speaks all turns, shows what failed and tries it again", async () => {
  const made = [aGeneration({ text: "Hello.", status: "complete" }), aGeneration({ text: "Yes.", status: "failed", error: { code: "engine_failed", detail: "", remedy: "" } })];
  const script = { id: "01938f00-0000-7000-8000-00000000000a", title: "", gap_ms: 300, audio_url: "", audio_path: "", duration: 0, sample_rate: 0, created_at: "", updated_at: "", turns: made };
  server.set("POST /script", () => reply(202, script));
  server.set("GET /scripts/{id}", script);
  server.set("POST /generate/{id}/retry", () => made[1]);
  const { user } = open();
  fireEvent.paste(await turn(1), { clipboardData: { getData: () => "Anna: Hello.\nBen: Yes." } });
  await turn(2);
  await user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(server.to("POST /script")[0]?.body).toEqual({ turns: [{ profile_id: voice.id, text: "Hello." }, { profile_id: voice.id, text: "Yes." }], gap_ms: 300 }));
  expect(server.to("POST /script")[0]?.headers.get("Prefer")).toBe("respond-async");
  expect(await screen.findByRole("button", { name: /^Play turn 1/ })).toBeVisible();
  expect(screen.getByText("The engine could not speak this.")).toBeVisible();
  await user.click(within(screen.getByRole("alert")).getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(server.to("POST /generate/{id}/retry")[0]?.params.id).toBe(made[1]?.id));
});

it("does not speak an empty page", async () => {
  const { user } = open();
  await turn(1);
  await user.click(screen.getByRole("button", { name: "Speak all" }));
  expect(server.to("POST /script")).toHaveLength(0);
});

it("opens the script that was kept", async () => {
  const draft = aDraft({ name: "Kept", content: { kind: "script", title: "Kept", gapMs: 300, speakers: [{ id: "a", name: "Ida", profileId: voice.id, hue: 3 }], turns: [{ id: "t", speakerId: "a", text: "I was here." }] } });
  server.set("GET /drafts", page([draft]));
  server.set("GET /drafts/{id}", draft);
  renderWithProviders(<Script />, { hash: `#/script/${draft.id}` });
  expect(await turn(1)).toHaveValue("I was here.");
  expect(await turn(1)).toHaveAccessibleName("Turn 1, Ida");
});
