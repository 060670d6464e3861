import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { aModel, fakeApi, renderWithProviders } from "@/test";
import { DeviceNotice } from "./DeviceNotice";

const failed = {
  code: "unsupported_gpu",
  detail: "A run on cuda:0 failed: out of memory.",
  remedy: "The CPU does the work.",
  params: { device: "cuda:0", reason: "run", cause: "out of memory" },
};

it("says why a model runs on the processor, until it is closed", async () => {
  const model = aModel({ loaded: true, device_requested: "cuda", device_warning: failed });
  fakeApi({ "GET /models/status": { models: [aModel({ model_name: "b" }), model] } });
  const { user } = renderWithProviders(<DeviceNotice />, { hash: "#/studio" });
  const said = "Kokoro runs on the processor. The graphics card failed (CUDA): out of memory.";
  await waitFor(() => expect(screen.getByText(said)).toBeVisible());
  expect(screen.getByRole("link", { name: "Open Devices" })).toHaveAttribute("href", "#/settings/devices");
  await user.click(screen.getByRole("button", { name: "Close" }));
  expect(screen.queryByText(said)).toBeNull();
});

it("says nothing of a model that is not loaded", async () => {
  const server = fakeApi({ "GET /models/status": { models: [aModel({ device_warning: failed })] } });
  renderWithProviders(<DeviceNotice />, { hash: "#/studio" });
  await expect.poll(() => server.to("GET /models/status").length).toBe(1);
  expect(screen.queryByText(/runs on the processor/)).toBeNull();
});
