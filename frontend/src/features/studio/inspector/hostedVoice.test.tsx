import { screen, within, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { aDraft, aProfile, fakeApi, hostedRoutes, page, renderWithProviders, type Call } from "@/test";
import type { HostedStatus } from "@/api/hosted";
import Studio from "..";

const aria = aProfile({
  ...{ name: "Aria", voice_type: "hosted", preset_engine: "", preset_voice_id: "", model_name: "" },
  ...{ hosted_voice_id: "v1", hosted_model_id: "providerA-v3", usable: false, reason: "English of the server." },
});

function start(status: Partial<HostedStatus>, offline = false) {
  const draft = aDraft({ id: "d1", content: { text: "Winter.", profile_id: aria.id } });
  fakeApi({
    ...hostedRoutes([], status),
    "GET /profiles": page([aria]),
    "GET /profiles/{id}": aria,
    "GET /drafts": page([draft]),
    "GET /drafts/{id}": draft,
    "PUT /drafts/{id}": ({ body }: Call) => aDraft({ ...(body as object), id: "d1" }),
    "GET /models/status": { models: [] },
    "GET /settings": {},
    "GET /system": { encoders: ["wav"], offline },
    "POST /hosted/quote": { credits: 15, calls: 1, credits_left: 9000, warn: false, ask: false },
  });
  return renderWithProviders(<Studio />);
}
const voice = () => screen.findByRole("region", { name: "Voice" });

beforeEach(() => {
  vi.spyOn(window, "requestAnimationFrame").mockReturnValue(0);
  localStorage.clear();
});

test.each([
  ["signed out", { signed_in: false }, false, "Sign in on the Account screen to use this voice."],
  ["without a service", { configured: false }, false, "No hosted service is set up."],
  ["offline", {}, true, "Hosted voices need a network connection, but offline mode is on."],
])("a hosted voice says at once why it cannot be used: %s", async (_, status, offline, reason) => {
  start(status, offline);
  await waitFor(() => expect(screen.getByText(reason)).toBeVisible());
  const section = await voice();
  expect(section).toHaveTextContent(reason);
  expect(within(section).getByRole("link", { name: "Open Account" })).toHaveAttribute("href", "#/account");
});

test("a hosted voice that can be used shows its model and no reason", async () => {
  start({});
  await waitFor(() => expect(screen.getByText("providerA-v3")).toBeVisible());
  expect(within(await voice()).queryByRole("link", { name: "Open Account" })).toBeNull();
});
