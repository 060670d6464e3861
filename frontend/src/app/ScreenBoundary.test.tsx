import { screen, waitFor } from "@testing-library/react";
import { Suspense } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { lazyScreen } from "@/lib/lazyScreen";
import { renderWithProviders } from "@/test";
import { ScreenBoundary } from "./ScreenBoundary";

beforeEach(() => vi.spyOn(console, "error").mockImplementation(() => undefined)); // React logs what a boundary catches
afterEach(() => vi.restoreAllMocks());

it("loads a screen again after its code failed to load", async () => {
  const load = vi
    .fn<() => Promise<{ default: () => string }>>()
    .mockRejectedValueOnce(new TypeError("Failed to fetch dynamically imported module"))
    .mockRejectedValueOnce(new TypeError("Failed to fetch dynamically imported module"))
    .mockResolvedValue({ default: () => "The screen" });
  const { Screen, retry } = lazyScreen(load);
  const { user } = renderWithProviders(
    <ScreenBoundary onRetry={retry}>
      <Suspense fallback={null}>
        <Screen />
      </Suspense>
    </ScreenBoundary>,
  );
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    await user.click(await screen.findByRole("button", { name: "Try again" }));
  }
  await waitFor(() => expect(screen.getByText("The screen")).toBeVisible());
  expect(load).toHaveBeenCalledTimes(3);
});
