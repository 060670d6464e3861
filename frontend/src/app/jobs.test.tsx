import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { applyGeneration, setGenerations } from "@/api/live";
import { aGeneration, fakeApi, renderWithProviders } from "@/test";
import { Jobs } from "./Jobs";

afterEach(() => act(() => setGenerations([])));

test("a hosted job says why it waits", async () => {
  const job = aGeneration({ text: "Winter came.", status: "queued", source: "hosted", chunks: [] });
  fakeApi({ "GET /generate/{id}": { ...job, wait: { reason: "busy", seconds: 40 } } });
  applyGeneration(job);
  const { user } = renderWithProviders(<Jobs />);
  await user.click(screen.getByRole("button", { name: /1/ }));
  await waitFor(() => expect(screen.getByText(/^The service is busy, trying again in/)).toBeVisible());
});
