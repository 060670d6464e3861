import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "./client";
import type { ApiError } from "./errors";
import { keys } from "./keys";

export type Settings = Record<string, unknown>;
/** What the server tells about one setting. */
export interface SettingInfo {
  key: string;
  value: string | boolean;
  type: "string" | "duration" | "enum" | "boolean";
  default: string | boolean;
  range: string;
  /** The choices of an enum. */
  values?: string[];
  /** One sentence, in English. */
  description: string;
}

export function useSettings() {
  return useQuery<Settings, ApiError>({
    queryKey: keys.settings,
    queryFn: ({ signal }) => api.get("/settings", { signal }) as Promise<Settings>,
  });
}

/** Settings with type, default, range and a sentence each. */
export function useDescribedSettings() {
  return useQuery<Record<string, SettingInfo>, ApiError>({
    queryKey: [...keys.settings, "described"],
    queryFn: ({ signal }) =>
      api.get("/settings", { query: { describe: true }, signal }) as unknown as Promise<Record<string, SettingInfo>>,
  });
}

/** Changes the given settings and shows them at once; a refusal puts the old ones back. */
export function usePutSettings() {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, Settings, { before: Settings | undefined }>({
    mutationFn: (body) => api.put("/settings", { body }),
    onMutate: async (changes) => {
      await client.cancelQueries({ queryKey: keys.settings });
      const before = client.getQueryData<Settings>(keys.settings);
      if (before) client.setQueryData(keys.settings, { ...before, ...changes });
      return { before };
    },
    onError: (_error, _changes, context) => context?.before && client.setQueryData(keys.settings, context.before),
    onSettled: () => client.invalidateQueries({ queryKey: keys.settings }),
  });
}
