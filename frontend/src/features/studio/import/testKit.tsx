import { act, screen } from "@testing-library/react";
import { useState, type ReactElement } from "react";
import { DropGuard } from "@/app/dropGuard";
import { aDraft, aProfile, fakeApi, page, renderWithProviders, reply, type Handler } from "@/test";
import type { Draft } from "@/api/types";
import Studio from "..";

export const problem = (code: string, detail: string, params: Record<string, unknown> = {}) => ({
  code,
  detail,
  remedy: "",
  params,
});
export const winter = aDraft({ id: "d1", name: "Winter", content: { text: "The lamp", named: true, speed: 1.2 } });
export const file = (name: string) => new File(["x"], name);
export const paper = () => screen.findByRole("textbox", { name: "Text" });
export const chapters = (count: number, length: number) =>
  Array.from({ length: count }, (_, i) => `Chapter ${i + 1}\n\n${"The ferry passed. ".repeat(length / 18)}`).join(
    "\n\n",
  );

/** A page on which the Studio can be left and opened again. */
export function Screens() {
  const [isHere, setHere] = useState(true);
  return (
    <>
      {isHere ? <Studio /> : null}
      <button type="button" onClick={() => setHere(!isHere)}>
        {isHere ? "History" : "Studio"}
      </button>
    </>
  );
}

/** A response that arrives when the test releases it. */
export function held() {
  let give: (answer: unknown) => void = () => undefined;
  const answer = new Promise((done) => {
    give = done;
  });
  return {
    answer,
    give: (body: unknown) =>
      act(async () => {
        give(body);
        await answer;
      }),
  };
}

/** A server that stores drafts. */
export function start(routes: Record<string, Handler> = {}, screens: ReactElement = <Studio />) {
  const drafts = new Map<string, Draft>([[winter.id, winter]]);
  const keep = (draft: Draft) => {
    drafts.set(draft.id, draft);
    return draft;
  };
  const voice = { ...aProfile({ name: "Built-in voice" }), voice_type: "default" as const };
  const api = fakeApi({
    "GET /profiles": page([voice]),
    "GET /profiles/{id}": voice,
    "GET /models/status": { models: [] },
    "GET /drafts": () => page([...drafts.values()].reverse()),
    "GET /drafts/{id}": (call: { params: Record<string, string> }) =>
      drafts.get(call.params.id ?? "") ?? reply(404, problem("draft_not_found", "")),
    "POST /drafts": (call: { body: unknown }) => keep(aDraft({ ...(call.body as object), id: `n${drafts.size}` })),
    "PUT /drafts/{id}": (call: { body: unknown; params: Record<string, string> }) =>
      keep(aDraft({ ...(call.body as object), id: call.params.id ?? "" })),
    "DELETE /drafts/{id}": (call: { params: Record<string, string> }) => {
      drafts.delete(call.params.id ?? "");
      return reply(204);
    },
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
  const choose = () => screen.getByLabelText("Open a file", { selector: "input" });
  return {
    api,
    drafts,
    choose,
    ...renderWithProviders(
      <>
        {screens}
        <DropGuard />
      </>,
      { hash: "#/studio" },
    ),
  };
}
