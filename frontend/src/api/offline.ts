import { useQueryClient } from "@tanstack/react-query";
import { keys } from "./keys";
import { usePutSettings, useSettings } from "./settings";
import { useSystem } from "./system";

/** The setting with which the person forbids all connections but local ones. */
export const offlineKey = "network.offline";

/** The state of offline mode; `fixed` when the program was started with it, so that the page cannot turn it off. */
export function useOffline() {
  const client = useQueryClient();
  const system = useSystem().data;
  const setting = useSettings().data?.[offlineKey] === true;
  const put = usePutSettings();
  return {
    known: system !== undefined,
    on: system?.offline ?? false,
    fixed: system?.offline === true && !setting,
    error: put.error,
    turn: (on: boolean) =>
      put.mutate({ [offlineKey]: on }, { onSettled: () => void client.invalidateQueries({ queryKey: keys.system }) }),
  };
}
