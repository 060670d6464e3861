import { act, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { applyDownloadEvent } from "@/api/live";
import { absent, show } from "./testKit";

it("a cancelled download does not take the focus with its row", async () => {
  const model = absent({ state: "downloading", downloading: { current: 4.1e6, total: 100e6 } });
  const { user } = show([model], "#/models", { "POST /models/{name}/pause": {} });
  await screen.findByRole("button", { name: "Kokoro" });
  act(() => applyDownloadEvent({ model_name: "kokoro", status: "downloading", current: 4.1e6, total: 100e6 }));
  const tab = screen.getByRole("tab", { selected: true });
  act(() => tab.focus());
  act(() => screen.getByRole("button", { name: "Cancel download: Kokoro" }).focus());
  await user.keyboard("{Enter}");
  expect(screen.getByText("No models yet")).toBeVisible();
  expect(tab).toHaveFocus();
});
