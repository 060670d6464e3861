import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, dataOf, forwarded } from "./client";
import type { ApiError } from "./errors";
import type { AccountKey } from "./forwarded";
import type { HostedTest } from "./types";
import { keys } from "./keys";

export type { AccountKey } from "./forwarded";

/** After a change of the account, status, keys and prices are read again. */
function useChanged() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: keys.hosted });
}

function useAccountAction<R>(run: () => Promise<R>) {
  return useMutation<R, ApiError>({ mutationFn: run, onSettled: useChanged() });
}

function useAccountMutation<V, R>(run: (variables: V) => Promise<R>) {
  return useMutation<R, ApiError, V>({ mutationFn: run, onSettled: useChanged() });
}

/** Opens the sign-in page in the system's browser. */
export const useSignIn = () => useAccountAction(() => dataOf(api.POST("/hosted/login")));

export const useCancelSignIn = () => useAccountAction(() => dataOf(api.DELETE("/hosted/login")));

/** Ends a sign-in with the address at which a browser on another machine ended. */
export const useFinishSignIn = () =>
  useAccountMutation((url: string) => dataOf(api.POST("/hosted/login/finish", { body: { url } })));

/** Revokes and deletes the sign-in; a stored API key stays. */
export const useSignOut = () => useAccountAction(() => dataOf(api.POST("/hosted/logout")));

/** Stores an API key of the person on this machine. */
export const useStoreKey = () => useAccountMutation((key: string) => dataOf(api.PUT("/hosted/key", { body: { key } })));

/** Creates an API key with the sign-in and stores it on this machine; its text never reaches the page. */
export const useCreateMachineKey = () =>
  useAccountMutation((name: string) => dataOf(api.POST("/hosted/key", { body: { name } })));

/** Deletes the API key from this machine, without revoking it. */
export const useForgetKey = () => useAccountAction(() => dataOf(api.DELETE("/hosted/key")));

/** Calls the service once; with an address other than the saved one no credential is sent. */
export function useTestConnection() {
  return useMutation<HostedTest, ApiError, string | undefined>({
    mutationFn: (url) => dataOf(api.POST("/hosted/test", { body: url === undefined ? {} : { base_url: url } })),
  });
}

const header = { "X-Voicewright-Auth": "jwt" } as const;

/** The API keys of the account, revoked ones included; only a sign-in may read them. */
export function useAccountKeys() {
  return useQuery<AccountKey[], ApiError>({
    queryKey: keys.hostedKeys,
    queryFn: async ({ signal }) =>
      (await dataOf(forwarded.GET("/api/v1/user/api-keys", { params: { header }, signal }))).apiKeys,
  });
}

/** Creates an API key for another machine or program; the answer has its text, this once. */
export const useCreateKey = () =>
  useAccountMutation((name: string) =>
    dataOf(forwarded.POST("/api/v1/user/api-keys", { params: { header }, body: name ? { name } : {} })),
  );

export const useRevokeKey = () =>
  useAccountMutation((id: string) =>
    dataOf(forwarded.DELETE("/api/v1/user/api-keys/{id}", { params: { header, path: { id } } })),
  );
