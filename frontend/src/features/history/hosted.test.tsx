import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { aGeneration, fakeApi, hostedRoutes, page, renderWithProviders, reply, type Handler } from "@/test";
import type { Generation } from "@/api/types";
import History from ".";

const hosted = (part: Partial<Generation> = {}) =>
  aGeneration({ source: "hosted", engine: "hosted", model_name: "providerA-v3", voice: "v1", chunks: [], ...part });

function show(one: Generation, routes: Record<string, Handler> = {}) {
  const api = fakeApi({
    ...hostedRoutes(),
    "GET /history": page([one]),
    "GET /history/{id}": one,
    "GET /generate/{id}": one,
    "GET /history/{id}/peaks": { peaks: [] },
    "GET /history/stats": {
      generations: 1,
      complete: 1,
      failed: 0,
      characters: 1,
      seconds: 1,
      by_engine: {},
      by_profile: {},
    },
    "GET /history/storage": {
      bytes: 1,
      files: 1,
      missing: 0,
      books: { bytes: 0, files: 0, missing: 0, text_bytes: 0 },
    },
    "GET /profiles": page([]),
    "GET /scripts": page([]),
    "GET /settings": { "history.retention": "-1" },
    "POST /hosted/quote": { credits: 420 },
    ...routes,
  });
  return { api, ...renderWithProviders(<History />, { hash: `#/history/${one.id}` }) };
}
const regenerate = () => screen.findByRole("button", { name: "Regenerate" });

test("a hosted generation is regenerated once its price is accepted, and asked again where it has changed", async () => {
  const answers = [
    reply(409, { code: "hosted_confirm", detail: "", remedy: "", params: { credits: 500, accepted: 420 } }),
    hosted(),
  ];
  const { api, user } = show(hosted({ text: "Winter came." }), {
    "POST /generate/{id}/regenerate": () => answers.shift(),
  });
  await user.click(await regenerate());
  await waitFor(() => expect(screen.getByRole("dialog", { name: "Generate for 420 credits?" })).toBeVisible());
  expect(api.to("POST /hosted/quote")[0]?.body).toMatchObject({
    text: "Winter came.",
    voice: "hosted:v1",
    model_name: "providerA-v3",
  });
  expect(api.to("POST /generate/{id}/regenerate")).toHaveLength(0);
  await user.click(screen.getByRole("button", { name: "Generate" }));
  await waitFor(() => expect(screen.getByRole("dialog", { name: "Generate for 500 credits?" })).toBeVisible());
  await user.click(screen.getByRole("button", { name: "Generate" }));
  await waitFor(() =>
    expect(api.to("POST /generate/{id}/regenerate").map((call) => call.body)).toEqual([
      { accept_credits: 420 },
      { accept_credits: 500 },
    ]),
  );
});

test("cancelling the price regenerates nothing; a dialogue is priced with all its lines", async () => {
  const dialogue = ["Hello.", "Hi."].map((text, i) => ({
    text,
    profile_id: `p${i}`,
    profile_name: "Aria",
    voice: "v1",
  }));
  const { api, user } = show(hosted({ text: "Hello.\nHi.", dialogue }));
  await user.click(await regenerate());
  await user.click(await screen.findByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(api.to("POST /hosted/quote")[0]?.body).toEqual({
    turns: [
      { profile_id: "p0", text: "Hello.", voice: "hosted:v1" },
      { profile_id: "p1", text: "Hi.", voice: "hosted:v1" },
    ],
  });
  expect(api.to("POST /generate/{id}/regenerate")).toHaveLength(0);
});

test("one that failed for its price is tried again once the price is accepted", async () => {
  const failed = hosted({
    status: "failed",
    error: { code: "hosted_confirm", detail: "This costs 420 credits.", remedy: "", params: { credits: 420 } },
  });
  const { api, user } = show(failed, { "POST /generate/{id}/retry": reply(202, { ...failed, status: "queued" }) });
  await user.click((await screen.findAllByRole("button", { name: "Try again" }))[0] as HTMLElement);
  await waitFor(() => expect(screen.getByRole("dialog", { name: "Generate for 420 credits?" })).toBeVisible());
  await user.click(screen.getByRole("button", { name: "Generate" }));
  await waitFor(() => expect(api.to("POST /generate/{id}/retry")[0]?.body).toEqual({ accept_credits: 420 }));
});

test.each([
  [
    "hosted_answer_lost",
    { credits_before: 9000, credits_after: 8790 },
    /was charged: your credits went from 9,000 to 8,790/,
  ],
  ["hosted_answer_lost", { credits_before: 9000, credits_after: 9000 }, /not charged: you still have 9,000 credits/],
  ["hosted_answer_lost", { credits_before: null, credits_after: null }, /may have been charged/],
  ["hosted_provider_busy", { status: 503 }, /This call was not charged/],
  ["hosted_500", { status: 500 }, /credits were refunded/],
  ["offline", { hosted: true }, /This call was not charged/],
])("a failed hosted generation says what was charged: %s %o", async (code, params, words) => {
  show(hosted({ status: "failed", error: { code, detail: "", remedy: "", params } }));
  await waitFor(() => expect(screen.getByText(words)).toBeVisible());
});
