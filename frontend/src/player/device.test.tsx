import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { aGeneration, fakeApi, renderWithProviders } from "@/test";
import { fakeAudio, fakeDevices } from "@/test/fakeAudio";
import { output, player, systemDevice } from ".";
import { PlayerBar } from "./PlayerBar";

const end = fakeDevices(fakeAudio());
afterEach(() => {
  act(() => player.close());
  output.setDevice(systemDevice);
  end();
});

it("plays on the device of the system, and says so, while the chosen one is not there", async () => {
  vi.spyOn(HTMLMediaElement.prototype, "play").mockImplementation(function (this: HTMLMediaElement) {
    this.dispatchEvent(new Event("play"));
    return Promise.resolve();
  });
  fakeApi({ "GET /history/{id}/peaks": { peaks: [] }, "GET /system": { encoders: ["wav"] } });
  output.setDevice({ id: "headset", label: "Headset" });
  renderWithProviders(<PlayerBar />);
  act(() => player.load(aGeneration(), { play: true }));
  await waitFor(() => expect(screen.getByText(/^Headset can’t be used now/)).toBeVisible());
  await waitFor(() => expect(player.get().playing).toBe(true));
});
