import { screen } from "@testing-library/react";
import { beforeAll, vi } from "vitest";
import type { Model, Profile } from "@/api/types";
import { aModel, fakeApi, page, renderWithProviders, type Handler } from "@/test";
import { VoicePicker } from ".";

beforeAll(() => import("./PickerDialog")); // loading it at the first opening may take longer than a test waits

export const here = (part: Partial<Model> = {}) => aModel({ downloaded: true, state: "downloaded", ...part });

export function open(
  profiles: Profile[],
  models: Model[],
  value?: string,
  routes: Record<string, Handler> = {},
  place?: string,
) {
  const api = fakeApi({
    "GET /settings": { "speech.default_voice": "espeak:en-us" },
    ...routes,
    "GET /profiles": page(profiles),
    "GET /models/status": { models },
    "PUT /profiles/{id}": () => profiles[0],
  });
  const onChoose = vi.fn();
  const onClose = vi.fn();
  return {
    api,
    onChoose,
    onClose,
    ...renderWithProviders(<VoicePicker open place={place} value={value} onClose={onClose} onChoose={onChoose} />),
  };
}

export const rows = () => screen.getAllByRole("row").map((row) => row.textContent ?? "");
