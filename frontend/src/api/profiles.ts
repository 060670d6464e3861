import { useMutation, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { api, asFile, asForm, dataOf } from "./client";
import { useCursorList } from "./cursor";
import type { ApiError } from "./errors";
import { keys } from "./keys";
import type { ConsentKind, NewProfile, Profile, ProfileChanges } from "./types";
import { saveFile } from "./download";
import type { paths } from "./schema";

export type ProfileFilter = Omit<NonNullable<paths["/profiles"]["get"]["parameters"]["query"]>, "cursor" | "limit">;

/** Voices, page by page. */
export function useProfiles(filter: ProfileFilter = {}, limit = 100) {
  return useCursorList(keys.profileList({ ...filter, limit }), (cursor, signal) =>
    dataOf(api.GET("/profiles", { params: { query: { ...filter, limit, ...(cursor ? { cursor } : {}) } }, signal })),
  );
}

export const readProfile = (id: string, signal?: AbortSignal): Promise<Profile> =>
  dataOf(api.GET("/profiles/{profile_id}", { params: { path: { profile_id: id } }, signal }));

export function useProfile(id: string | undefined) {
  return useQuery<Profile, ApiError>({
    queryKey: keys.profile(id ?? ""),
    queryFn: ({ signal }) => readProfile(id ?? "", signal),
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

export const createProfile = (body: NewProfile): Promise<Profile> => dataOf(api.POST("/profiles", { body }));

export function useCreateProfile() {
  return useProfileMutation(createProfile);
}

export const updateProfile = (id: string, changes: ProfileChanges): Promise<Profile> =>
  dataOf(api.PUT("/profiles/{profile_id}", { params: { path: { profile_id: id } }, body: changes }));

export function useUpdateProfile() {
  return useProfileMutation(({ id, changes }: { id: string; changes: ProfileChanges }) => updateProfile(id, changes));
}

export function useDuplicateProfile() {
  return useProfileMutation((id: string) =>
    dataOf(api.POST("/profiles/{profile_id}/duplicate", { params: { path: { profile_id: id } } })),
  );
}

export function useImportProfile() {
  return useProfileMutation(({ file, consent }: { file: File; consent?: ConsentKind }) =>
    dataOf(api.POST("/profiles/import", { body: { file, ...(consent ? { consent } : {}) }, bodySerializer: asForm })),
  );
}

export function useRestorePresets() {
  const client = useQueryClient();
  return useMutation<{ items: Profile[] }, ApiError>({
    mutationFn: () => dataOf(api.POST("/profiles/restore-presets")),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.profiles }),
  });
}

/** Deletes permanently, also while the window closes. */
export async function deleteProfile(id: string): Promise<void> {
  await dataOf(api.DELETE("/profiles/{profile_id}", { params: { path: { profile_id: id } }, keepalive: true }));
}

/** Deletes permanently; call it when the undo bar ends. */
export function useDeleteProfile() {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, string>({
    mutationFn: deleteProfile,
    onSettled: () => client.invalidateQueries({ queryKey: keys.profiles }),
  });
}

export async function exportProfile(profile: Profile): Promise<void> {
  const params = { path: { profile_id: profile.id } };
  await saveFile(`${profile.name}.zip`, (file) => api.GET("/profiles/{profile_id}/export", { params, ...file }));
}

/** A few seconds of the voice as audio; generated at the first call, which may take a moment. */
export function fetchPreview(id: string, signal?: AbortSignal): Promise<Blob> {
  return dataOf(api.GET("/profiles/{profile_id}/preview", { params: { path: { profile_id: id } }, signal, ...asFile }));
}

/** What a voice speaks to be heard, and how. */
export type SpokenText = paths["/profiles/{profile_id}/preview"]["post"]["requestBody"]["content"]["application/json"];

/** A text of at most 500 characters in a voice as audio; nothing of it is stored. A hosted voice answers with its own preview. */
export function speakText(id: string, body: SpokenText, signal?: AbortSignal): Promise<Blob> {
  return dataOf(
    api.POST("/profiles/{profile_id}/preview", { params: { path: { profile_id: id } }, body, signal, ...asFile }),
  );
}
