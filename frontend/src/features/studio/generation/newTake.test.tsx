import { act, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { aGeneration, fakeApi, renderWithProviders } from "@/test";
import { fakeAudio } from "@/test/fakeAudio";
import { player, stopAudition } from "@/player";
import { useGenerationFlow } from "./useGenerationFlow";

const chunk = { text: "The lamp.", start: 0, end: 1, take: 0, takes: 1 };
const one = aGeneration({ id: "g1", status: "complete", chunks: [chunk] });

function NewTake() {
  const flow = useGenerationFlow({
    id: one.id,
    opened: 1,
    profile: undefined,
    isLoading: false,
    paused: null,
    request: () => null,
    onAccepted: () => undefined,
    onUndone: () => undefined,
  });
  return flow.generation ? <button onClick={() => flow.take(0)}>New take</button> : null;
}

test("a new take is played and not chosen", async () => {
  const load = vi.spyOn(player, "load").mockImplementation(() => undefined);
  fakeAudio();
  const api = fakeApi({
    "GET /generate/{id}": one,
    "GET /models/status": { models: [] },
    "POST /generate/{id}/chunks/{n}/regenerate": { ...one, chunks: [{ ...chunk, takes: 2 }] },
    "GET /history/{id}/chunks/{n}/takes/{take}": () => new Response(new Blob([])),
  });
  const { user } = renderWithProviders(<NewTake />);
  const button = await screen.findByRole("button", { name: "New take" });
  load.mockClear(); // the player shows the draft's last audio
  await user.click(button);
  await waitFor(() => expect(api.to("GET /history/{id}/chunks/{n}/takes/{take}")).toHaveLength(1));
  expect(api.to("GET /history/{id}/chunks/{n}/takes/{take}")[0]?.params).toMatchObject({ n: "0", take: "1" });
  expect(api.to("POST /generate/{id}/chunks/{n}/regenerate")[0]?.body).toEqual({ choose: false });
  expect(load).not.toHaveBeenCalled();
  act(stopAudition);
});
