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

function start(routes = {}) {
  const draft = aDraft({ id: "d1", content: { text: "Winter came early.", profile_id: aria.id, seed: 7, speed: 2 } });
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
  expect(await screen.findByRole("status", { name: "Price of this text: 420 credits" })).toHaveClass("text-warn");
  await user.click(screen.getByRole("button", { name: /Generate/ }));
  expect(await screen.findByRole("dialog", { name: "Generate for 420 credits?" })).toHaveTextContent("84,120 credits");
  await user.click(screen.getByRole("button", { name: "Generate" }));
  await waitFor(() => expect(api.to("POST /generate")).toHaveLength(2));
  const body = { profile_id: aria.id, text: "Winter came early." };
  expect(api.to("POST /generate").map((call) => call.body)).toEqual([body, { ...body, accept_credits: 420 }]);
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
  expect(await screen.findByText("2nd in the queue")).toBeVisible();
});
