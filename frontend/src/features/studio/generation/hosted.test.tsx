import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { player } from "@/player";
import {
  aDraft,
  aGeneration,
  aProfile,
  fakeApi,
  hostedRoutes,
  page,
  renderWithProviders,
  reply,
  type Call,
} from "@/test";
import type { Receipt } from "@/api/types";
import Studio from "..";

const aria = aProfile({
  name: "Aria",
  voice_type: "hosted",
  preset_engine: "",
  preset_voice_id: "",
  model_name: "",
  hosted_voice_id: "v1",
  hosted_model_id: "providerA-v3",
});

function start(routes = {}, content = {}) {
  const text = "Winter came early.";
  const draft = aDraft({ id: "d1", content: { text, profile_id: aria.id, seed: 7, speed: 2, ...content } });
  const api = fakeApi({
    ...hostedRoutes(),
    "GET /profiles": page([aria]),
    "GET /profiles/{id}": aria,
    "GET /drafts": page([draft]),
    "GET /drafts/{id}": draft,
    "PUT /drafts/{id}": ({ body }: Call) => aDraft({ ...(body as object), id: "d1" }),
    "GET /models/status": { models: [] },
    "GET /settings": {},
    "POST /hosted/quote": {
      ...{ credits: 420, characters: 18, calls: 1, credits_per_1000: 1890, credits_left: 84_120 },
      ...{ warn: true, ask: true },
    },
    ...routes,
  });
  return { api, ...renderWithProviders(<Studio />) };
}

beforeEach(() => {
  vi.spyOn(window, "requestAnimationFrame").mockReturnValue(0);
  vi.spyOn(player, "load").mockImplementation(() => undefined);
  localStorage.clear();
});

test("the price stands beside Generate, and is confirmed where the server asks", async () => {
  const answers = [
    reply(409, { code: "hosted_confirm", detail: "", remedy: "", params: { credits: 420 } }),
    reply(202, aGeneration({ source: "hosted", status: "complete" })),
  ];
  const { api, user } = start({ "POST /generate": () => answers.shift() });
  await waitFor(() =>
    expect(screen.getByRole("status", { name: "Price of this text: 420 credits" })).toHaveClass("text-warn"),
  );
  await user.click(screen.getByRole("button", { name: /Generate/ }));
  await waitFor(() =>
    expect(screen.getByRole("dialog", { name: "Generate for 420 credits?" })).toHaveTextContent("84,120 credits"),
  );
  await user.click(screen.getByRole("button", { name: "Generate" }));
  await waitFor(() => expect(api.to("POST /generate")).toHaveLength(2));
  const body = { profile_id: aria.id, text: "Winter came early." };
  expect(api.to("POST /generate").map((call) => call.body)).toEqual([body, { ...body, accept_credits: 420 }]);
});

test("a changed text has the price of its new passages only, which is confirmed where the server asks", async () => {
  const made = aGeneration({
    ...{ source: "hosted", engine: "hosted", model_name: "providerA-v3", voice: "v1", profile_id: aria.id },
    text: "Winter came early. The ferry left.",
    receipt: { parameters: { stability: 0.5 } } as unknown as Receipt,
  });
  const quote = { credits: 24, characters: 10, calls: 1, credits_per_1000: 1890, credits_left: 84_120, warn: false };
  const counts = { reused: 1, generated: 1, removed: 1, quote, same_settings: true };
  const paid: unknown[] = [];
  const { user } = start(
    {
      "GET /generate/{id}": made,
      "POST /generate/{id}/revise": ({ body }: Call) => {
        if ((body as { dry_run?: boolean }).dry_run) return counts;
        paid.push(body);
        if (paid.length === 1)
          return reply(409, { code: "hosted_confirm", detail: "", remedy: "", params: { credits: 24 } });
        return reply(202, { ...made, ...counts, status: "queued" });
      },
    },
    { generation_id: made.id, hosted: { stability: 0.5 } },
  );
  const button = await screen.findByRole("button", { name: "Generate 1 passage" });
  expect(screen.getByRole("status", { name: "Price of this text: 24 credits" })).toBeVisible();
  await user.click(button);
  await screen.findByRole("dialog", { name: "Generate for 24 credits?" });
  expect(screen.queryByRole("alert")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Generate" }));
  await waitFor(() => expect(paid).toHaveLength(2));
  const text = "Winter came early.";
  expect(paid).toEqual([{ text }, { text, accept_credits: 24 }]);
});

test("v3 has no speed, no seed and no options of the file", async () => {
  start();
  const speed = await screen.findByRole("slider", { name: /^Speed\. Voices of the v3 model have a fixed speed/ });
  expect(speed).toHaveAttribute("data-disabled");
  expect(speed).toHaveAttribute("aria-valuetext", "1.0×");
  expect(screen.queryByLabelText("Seed")).toBeNull();
  expect(screen.queryByText("Advanced")).toBeNull();
});

test("a waiting generation says why", async () => {
  const waiting = aGeneration({ status: "queued", source: "hosted", wait: { reason: "queue", place: 2 }, chunks: [] });
  const { user } = start({ "POST /generate": reply(202, waiting), "GET /generate/{id}": waiting });
  await screen.findByText("Aria");
  await user.click(screen.getByRole("button", { name: /Generate/ }));
  await waitFor(() => expect(screen.getByText("2nd in the queue")).toBeVisible());
});

test("the options of v3 are stored in the draft, sent where they are chosen, and reset", async () => {
  const { api, user } = start({ "POST /generate": reply(202, aGeneration({ source: "hosted", status: "complete" })) });
  const stability = await screen.findByRole("slider", { name: "Stability" });
  expect(stability).toHaveAttribute("aria-valuetext", "50%");
  expect(screen.getByRole("slider", { name: "Similarity" })).toHaveAttribute("aria-valuetext", "75%");
  expect(screen.getByRole("switch", { name: "Speaker boost" })).toBeChecked();
  expect(screen.queryByRole("button", { name: "Reset to default" })).toBeNull();
  stability.focus();
  await user.keyboard("{Home}");
  await user.click(screen.getByRole("switch", { name: "Language override" }));
  const hosted = { stability: 0, language_override: true };
  await user.click(screen.getByRole("button", { name: /Generate/ }));
  await waitFor(() => expect(api.to("POST /generate")[0]?.body).toMatchObject({ text: "Winter came early.", hosted }));
  await waitFor(() => expect(api.to("PUT /drafts/{id}")[0]?.body).toMatchObject({ content: { hosted } }));
  await user.click(screen.getByRole("button", { name: "Reset to default" }));
  expect(stability).toHaveAttribute("aria-valuetext", "50%");
  expect(screen.getByRole("switch", { name: "Language override" })).not.toBeChecked();
});

test("voices of other models have neither the options of v3 nor audio tags", async () => {
  const voice = { ...aria, hosted_model_id: "providerA-flash-v2-5" };
  start({ "GET /profiles": page([voice]), "GET /profiles/{id}": voice }, { hosted: { stability: 0 } });
  await waitFor(() => expect(screen.getByRole("slider", { name: "Speed" })).toBeVisible());
  expect(screen.queryByRole("slider", { name: "Stability" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Add audio tags" })).toBeNull();
});

const enhanced = (part = {}) => ({
  text: "[sighs] Winter came [whispers] early.",
  original: "Winter came early.",
  fallback: false,
  reason: null,
  ...part,
});
const paper = () => screen.findByRole("textbox", { name: "Text" });
const addTags = () => screen.findByRole("button", { name: "Add audio tags" });

test("audio tags are inserted, and the draft is saved with them", async () => {
  const { api, user } = start({ "POST /hosted/enhance": enhanced() });
  await user.click(await addTags());
  await waitFor(async () => expect(await paper()).toHaveValue("[sighs] Winter came [whispers] early."));
  await waitFor(() => expect(screen.getByText("2 tags added")).toBeVisible());
  expect(api.to("POST /hosted/enhance")[0]?.body).toEqual({ text: "Winter came early.", voice: "v1" });
  await waitFor(() => expect(api.to("PUT /drafts/{id}")).toHaveLength(1));
  expect(api.to("PUT /drafts/{id}")[0]?.body).toMatchObject({ content: { text: enhanced().text } });
});

test.each([
  [{ reason: "words", fallback: true }, "The service returned other words, so the text was left as it was."],
  [{ reason: "service", fallback: true }, "The service couldn’t enhance this text. No tags were added."],
  [{}, "No tags fit this text."],
])("says why a text has no tags: %j", async (part, said) => {
  const { user } = start({ "POST /hosted/enhance": enhanced({ text: "Winter came early.", ...part }) });
  await user.click(await addTags());
  await waitFor(() => expect(screen.getByText(said)).toBeVisible());
  expect(await paper()).toHaveValue("Winter came early.");
});

test("tags for a text that was edited meanwhile are dropped", async () => {
  let answer: (value: unknown) => void = () => undefined;
  const { user } = start({ "POST /hosted/enhance": () => new Promise((done) => (answer = done)) });
  await user.click(await addTags());
  await waitFor(() =>
    expect(screen.getByRole("button", { name: "Adding audio tags" })).toHaveAttribute("aria-busy", "true"),
  );
  await user.type(await paper(), " It stayed.");
  answer(enhanced());
  await waitFor(() => expect(screen.getByText(/You edited the text in the meantime/)).toBeVisible());
  expect(await paper()).toHaveValue("Winter came early. It stayed.");
});

test("an error of enhancing stands below the button, and can be closed", async () => {
  const { user } = start({
    "POST /hosted/enhance": reply(401, { code: "hosted_not_signed_in", detail: "", remedy: "", params: {} }),
  });
  await user.click(await addTags());
  await waitFor(() => expect(screen.getByRole("alert")).toBeVisible());
  await user.click(screen.getByRole("button", { name: "Close" }));
  expect(screen.queryByRole("alert")).toBeNull();
  expect(await addTags()).toBeEnabled();
});
