import { beforeEach } from "vitest";
import { clearDownloads } from "@/api/live";
import type { Model } from "@/api/types";
import { clearCancelled } from "@/features/downloads";
import { aModel, fakeApi, renderWithProviders } from "@/test";
import { closeDialog } from "./dialogs";
import { actionStates } from "./modelActions";
import Models from ".";

export const system = {
  os: "linux",
  arch: "amd64",
  devices: [{ id: "cpu", name: "CPU", cores: 8, memory: null }],
  memory: { total: 16e9, free: 4e9 },
  disk: null,
  libraries: [],
  encoders: [],
  offline: false,
  paths: {},
};
export const directory = {
  path: "/home/me/models",
  used_bytes: 338e6,
  free_bytes: 6.4e9,
  moving: false,
  moved_bytes: 0,
  adopting: null,
};
export const absent = (part: Partial<Model> = {}) => aModel({ state: "not_downloaded", ...part });
export const ready = (part: Partial<Model> = {}) => aModel({ state: "downloaded", downloaded: true, ...part });

export function show(models: Model[], hash = "#/models", routes: Record<string, unknown> = {}) {
  const api = fakeApi({
    "GET /models/{name}": { ...aModel(), voices_list: [], files: [] },
    "GET /system": system,
    "GET /models/directory": directory,
    "GET /models/status": () => ({ models }),
    "GET /profiles": { items: [], total: 0, next_cursor: null },
    "GET /models/catalogue": { items: [], total: 0, next_cursor: null },
    ...routes,
  });
  return { api, ...renderWithProviders(<Models />, { hash }) };
}

beforeEach(() => {
  actionStates.set(new Map());
  clearDownloads();
  clearCancelled();
  closeDialog();
});
