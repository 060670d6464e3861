import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import * as v from "valibot";
import { api, dataOf } from "./client";
import type { ApiError } from "./errors";
import { keys } from "./keys";

export type Settings = Record<string, unknown>;

const value = v.union([v.string(), v.boolean(), v.number()]);
/** A setting with type, default and range; `values` are the options of an enum, `description` is in English. */
const settingInfo = v.object({
  key: v.string(),
  value,
  type: v.picklist(["string", "duration", "enum", "boolean", "number"]),
  default: value,
  range: v.string(),
  values: v.optional(v.array(v.string())),
  description: v.string(),
});
export type SettingInfo = v.InferOutput<typeof settingInfo>;

export function useSettings() {
  return useQuery<Settings, ApiError>({
    queryKey: keys.settings,
    queryFn: ({ signal }) => dataOf(api.GET("/settings", { signal })),
  });
}

/** Settings with type, default, range and description. */
export function useDescribedSettings() {
  return useQuery<Record<string, SettingInfo>, ApiError>({
    queryKey: [...keys.settings, "described"],
    queryFn: async ({ signal }) => {
      const settings = await dataOf(api.GET("/settings", { params: { query: { describe: true } }, signal }));
      return v.parse(v.record(v.string(), settingInfo), settings);
    },
  });
}

/** Changes the given settings and shows them at once; after a refusal the old values are restored. */
export function usePutSettings() {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, Settings, { before: Settings | undefined }>({
    mutationFn: (body) => dataOf(api.PUT("/settings", { body })),
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
