import { act, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { player } from "@/player";
import { PlayerBar } from "@/player/PlayerBar";
import { aDraft, aGeneration, renderWithProviders } from "@/test";
import { kept, start } from "../testKit";

test("the player of a draft is there again after a reload, paused, until it is closed", async () => {
  vi.spyOn(window, "requestAnimationFrame").mockReturnValue(0);
  const made = aGeneration({ text: "The lamp" });
  const draft = aDraft({ id: "d1", content: { text: made.text, generation_id: made.id } });
  const { user, api, client } = start({ ...kept(draft), "GET /generate/{id}": made });
  renderWithProviders(<PlayerBar />);
  await waitFor(() => expect(screen.getByRole("button", { name: "Play" })).toBeVisible());
  expect(screen.getByRole("button", { name: /^Export/ })).toBeVisible();
  expect(player.get().playing).toBe(false);

  await user.click(screen.getByRole("button", { name: "Close the player" }));
  api.set("GET /generate/{id}", { ...made, title: "Another" });
  await act(() => client.invalidateQueries({ queryKey: ["generation", made.id] }));
  await waitFor(() => expect(api.to("GET /generate/{id}").length).toBeGreaterThan(1));
  expect(screen.queryByRole("button", { name: "Play" })).toBeNull();
});
