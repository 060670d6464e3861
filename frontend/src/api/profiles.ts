import { useMutation, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { api, fetchBlob, saveGet, upload } from "./client";
import { useCursorList } from "./cursor";
import type { ApiError } from "./errors";
import { keys } from "./keys";
import type { NewProfile, Profile, ProfileChanges } from "./types";
import type { operations } from "./schema";

export type ProfileFilter = Omit<NonNullable<operations["profiles"]["parameters"]["query"]>, "cursor" | "limit">;

/** Voices, page by page. */
export function useProfiles(filter: ProfileFilter = {}, limit = 100) {
  return useCursorList(keys.profileList({ ...filter, limit }), (cursor, signal) =>
    api.get("/profiles", { query: { ...filter, limit, ...(cursor ? { cursor } : {}) }, signal }),
  );
}

export function useProfile(id: string | undefined) {
  return useQuery<Profile, ApiError>({
    queryKey: keys.profile(id ?? ""),
    queryFn: ({ signal }) => api.get("/profiles/{profile_id}", { path: { profile_id: id ?? "" }, signal }),
    enabled: id !== undefined,
  });
}

function storeProfile(client: QueryClient, profile: Profile): void {
  client.setQueryData(keys.profile(profile.id), profile);
  void client.invalidateQueries({ queryKey: keys.profiles });
}

function useProfileMutation<V>(run: (variables: V) => Promise<Profile>) {
  const client = useQueryClient();
  return useMutation<Profile, ApiError, V>({ mutationFn: run, onSuccess: (profile) => storeProfile(client, profile) });
}

export function useCreateProfile() {
  return useProfileMutation((body: NewProfile) => api.post("/profiles", { body }));
}

export function useUpdateProfile() {
  return useProfileMutation(({ id, changes }: { id: string; changes: ProfileChanges }) =>
    api.put("/profiles/{profile_id}", { path: { profile_id: id }, body: changes }),
  );
}

export function useDuplicateProfile() {
  return useProfileMutation((id: string) => api.post("/profiles/{profile_id}/duplicate", { path: { profile_id: id } }));
}

export function useImportProfile() {
  return useProfileMutation((file: File) => upload<Profile>("/profiles/import", file));
}

export function useRestorePresets() {
  const client = useQueryClient();
  return useMutation<{ items: Profile[] }, ApiError>({
    mutationFn: () => api.post("/profiles/restore-presets"),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.profiles }),
  });
}

/** Deletes for good; call it when the undo bar ends. */
export function useDeleteProfile() {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, string>({
    mutationFn: (id) => api.del("/profiles/{profile_id}", { path: { profile_id: id }, keepalive: true }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.profiles }),
  });
}

export async function exportProfile(profile: Profile): Promise<void> {
  await saveGet("/profiles/{profile_id}/export", { path: { profile_id: profile.id } }, `${profile.name}.zip`);
}

/** A few seconds of the voice as sound; made at the first call, which may take a moment. */
export function fetchPreview(id: string, signal?: AbortSignal): Promise<Blob> {
  return fetchBlob("/profiles/{profile_id}/preview", { path: { profile_id: id }, signal });
}
