import { screen } from "@testing-library/react";
import { aDraft, aProfile, fakeApi, page, renderWithProviders, reply, type Handler } from "@/test";
import type { Draft, Profile } from "@/api/types";
import Studio from ".";

export const problem = (code: string, params: Record<string, unknown> = {}) => ({
  code,
  detail: `about ${code}`,
  remedy: "",
  params,
});
export const heart = aProfile({ name: "Heart" });
export const builtIn: Profile = { ...aProfile({ name: "Built-in voice" }), voice_type: "default" };
delete builtIn.model_name;

export function start(routes: Record<string, Handler> = {}, voice = builtIn) {
  const api = fakeApi({
    "GET /profiles": page([voice]),
    "GET /profiles/{id}": voice,
    "GET /drafts": page([]),
    "GET /models/status": { models: [] },
    "POST /drafts": (call: { body: unknown }) => aDraft({ ...(call.body as object), id: "d1" }),
    "PUT /drafts/{id}": (call: { body: unknown }) => aDraft({ ...(call.body as object), id: "d1" }),
    "POST /text/preview": {
      spoken: "a",
      sentences: [],
      chunks: ["a"],
      phonemes: "",
      seconds: 29,
      dropped_tags: [],
      pauses: [],
      shortened_pauses: [],
    },
    ...routes,
  });
  return { api, ...renderWithProviders(<Studio />) };
}
/** A server with these drafts. */
export const kept = (...drafts: Draft[]): Record<string, Handler> => ({
  "GET /drafts": page(drafts.map((draft) => ({ ...draft, content: {} }))),
  "GET /drafts/{id}": (call: { params: Record<string, string> }) =>
    drafts.find((draft) => draft.id === call.params.id) ?? reply(404, problem("draft_not_found")),
});
export const paper = () => screen.findByRole("textbox", { name: "Text" });
