import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { aDraft, aGeneration, aProfile, fakeApi, page, renderWithProviders, reply } from "@/test";
import Script from ".";

it("leaves the focus on the primary action while all turns are generated, and after it", async () => {
  const turns = ["Hello.", "Yes."].map((text) => aGeneration({ text, status: "generating", audio_url: "" }));
  const script = {
    id: "01938f00-0000-7000-8000-0000000000f0",
    ...{ title: "", gap_ms: 300, audio_url: "", audio_path: "", duration: 0, sample_rate: 0 },
    ...{ created_at: "", updated_at: "", can_undo: false, speakers: [], receipt: null },
    turns,
  };
  const api = fakeApi({
    "GET /drafts": page([]),
    "POST /drafts": (call: { body: unknown }) => aDraft(call.body as object),
    "GET /profiles": page([aProfile({ name: "Heart" })]),
    "GET /models/status": { models: [] },
    "POST /script": reply(202, script),
    "GET /scripts/{id}": script,
  });
  const { user, client } = renderWithProviders(<Script />, { hash: "#/script?new=focus" });
  const field = await screen.findByRole("textbox", { name: /^Turn 1,/ });
  fireEvent.paste(field, { clipboardData: { getData: () => "Anna: Hello.\nBen: Yes." } });
  await screen.findByRole("textbox", { name: /^Turn 2,/ });
  screen.getByRole("button", { name: "Generate all" }).focus();
  await user.keyboard("{Enter}");
  await waitFor(() => expect(screen.getByRole("button", { name: "Stop" })).toHaveFocus());
  api.set("GET /scripts/{id}", { ...script, turns: turns.map((turn) => ({ ...turn, status: "cancelled" })) });
  await act(() => client.invalidateQueries());
  await waitFor(() => expect(screen.getByRole("button", { name: "Generate all" })).toHaveFocus());
});
