import { useQuery, useQueryClient } from "@tanstack/react-query";
import * as v from "valibot";
import { dataOf, forwarded } from "./client";
import { ApiError } from "./errors";
import type { AccountCall } from "./forwarded";
import type { HostedStatus } from "./hosted";
import { keys } from "./keys";

export type { AccountCall } from "./forwarded";

/** The calls of an account, newest first. */
export interface AccountUsage {
  calls: readonly AccountCall[];
  /** The list of the service goes on, but is too long to be read further. */
  isCut: boolean;
}

const pageSize = 100; // the most that the service lists at once
const maxPages = 50;

/** Other hosted services may list calls in their own way, or answer something else. */
const usagePage = v.object({
  usage: v.array(
    v.object({
      id: v.string(),
      createdAt: v.pipe(
        v.string(),
        v.check((text) => !Number.isNaN(Date.parse(text))),
      ),
      characters: v.pipe(v.number(), v.finite()),
      credits: v.pipe(v.number(), v.finite()),
      status: v.picklist(["charged", "refunded", "held"]),
    }),
  ),
  nextCursor: v.nullish(v.string(), null),
});

async function readPage(cursor: string, signal: AbortSignal) {
  const query = { limit: pageSize, ...(cursor ? { cursor } : {}) };
  const answer: unknown = await dataOf(forwarded.GET("/api/v1/user/usage", { params: { query }, signal }));
  const page = v.safeParse(usagePage, answer);
  if (!page.success) throw new ApiError(502, { code: "hosted_bad_answer", params: { reason: "usage" } });
  return page.output;
}

/** Returns the calls behind the last one that is held: they do not change any more. */
const final = (calls: readonly AccountCall[]): readonly AccountCall[] =>
  calls.slice(calls.findLastIndex(({ status }) => status === "held") + 1);

/**
 * Reads the calls since a time, newest first, page by page. Of the usage that was read before, only what is new or may have changed
 * is read again.
 */
export async function readUsage(since: Date, before: AccountUsage | undefined, signal: AbortSignal) {
  const known = final(before?.calls ?? []);
  const read: AccountCall[] = [];
  const ids = new Set<string>();
  for (let pages = 1, cursor = ""; ; pages++) {
    const { usage, nextCursor } = await readPage(cursor, signal);
    for (const call of usage.filter(({ id }) => !ids.has(id))) {
      ids.add(call.id);
      read.push(call);
    }
    const last = usage.at(-1);
    const isAtEnd = !last || !nextCursor || nextCursor === cursor || Date.parse(last.createdAt) < since.getTime();
    if (isAtEnd) return { calls: read, isCut: false };
    const at = known.findIndex(({ id }) => id === last.id);
    if (at >= 0) return { calls: [...read, ...known.slice(at + 1)], isCut: before?.isCut ?? false };
    if (pages === maxPages) return { calls: read, isCut: true };
    cursor = nextCursor;
  }
}

/** How many days of usage are read, the present one included. */
export const usageDays = 30;

/** Returns an instant before the first of these days in every time zone, also where one of them had 25 hours. */
const beforeUsage = () => new Date(Date.now() - (usageDays + 1) * 86_400_000);

/** The calls of the account in the last days, read again when the credits may have changed. */
export function useUsage({ base_url, account, key_prefix }: HostedStatus) {
  const client = useQueryClient();
  const key = keys.hostedUsage({ base_url, account, key_prefix });
  return useQuery<AccountUsage, ApiError>({
    queryKey: key,
    queryFn: ({ signal }) => readUsage(beforeUsage(), client.getQueryData(key), signal),
  });
}
