import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { aDraft, aProfile, fakeApi, hostedRoutes, page, renderWithProviders, reply, type Call } from "@/test";
import Script from ".";

it("a script with hosted turns shows its price, and confirms it where the server asks", async () => {
  const aria = aProfile({ name: "Aria", voice_type: "hosted", hosted_voice_id: "v1", hosted_model_id: "providerA-v3" });
  const api = fakeApi({
    ...hostedRoutes(),
    "GET /drafts": page([]),
    "POST /drafts": ({ body }: Call) => aDraft(body as object),
    "PUT /drafts/{id}": ({ body }: Call) => aDraft(body as object),
    "GET /profiles": page([aria]),
    "GET /models/status": { models: [] },
    "POST /hosted/quote": {
      ...{ credits: 261, characters: 12, calls: 1, credits_per_1000: 1890, credits_left: 84_120 },
      ...{ warn: false, ask: true },
    },
    "POST /script": reply(409, { code: "hosted_confirm", detail: "", remedy: "", params: { credits: 261 } }),
  });
  const { user } = renderWithProviders(<Script />, { hash: "#/script?new=hosted" });
  await user.type(await screen.findByRole("textbox", { name: /^Turn 1,/ }), "Hello there.");
  expect(await screen.findByRole("status", { name: "Price of this text: 261 credits" })).toBeVisible();
  await user.click(screen.getByRole("button", { name: /Generate all/ }));
  expect(await screen.findByRole("dialog", { name: "Generate for 261 credits?" })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Generate" }));
  await waitFor(() => expect(api.to("POST /script")[1]?.body).toMatchObject({ accept_credits: 261 }));
});
