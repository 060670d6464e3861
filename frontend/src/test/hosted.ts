import type { HostedModel, HostedStatus, HostedVoice } from "@/api/hosted";
import { page, type Handler } from "./fakeApi";

export function aHostedVoice(part: Partial<HostedVoice> = {}): HostedVoice {
  return {
    id: "v1",
    name: "Aria",
    gender: "female",
    provider: "ProviderA",
    accent: "American",
    language: "en-US",
    category: "conversational",
    preview_url: "https://hosted.example/p.mp3",
    models: [],
    favorite: false,
    model: "providerA-v3",
    paid: false,
    v3_hint: false,
    credits_per_1000: 1890,
    profile_id: null,
    ...part,
  };
}

const aModel = (id: string, name: string): HostedModel => ({
  id,
  name,
  provider: id.startsWith("providerA") ? "ProviderA" : "ProviderB",
  description: "",
  category: "",
  plan_required: null,
});

/** The routes of a hosted service with these voices, for a signed-in account on a paid plan. */
export function hostedRoutes(
  voices: readonly HostedVoice[] = [aHostedVoice()],
  status: Partial<HostedStatus> = {},
): Record<string, Handler> {
  return {
    "GET /hosted/status": {
      enabled: true,
      configured: true,
      signed_in: true,
      key_prefix: "",
      plan: "pro",
      credits: 84_120,
      payg_credits: 0,
      error: null,
      notice: null,
      ...status,
    },
    "GET /hosted/voices": { ...page([...voices]), stale: false, fetched_at: "2026-11-23T10:00:00Z" },
    "GET /hosted/models": {
      items: [
        aModel("providerA-v3", "v3"),
        aModel("providerA-flash-v2-5", "Flash v2.5"),
        aModel("providerB-2-5-pro", "2.5 Pro"),
      ],
    },
  };
}
