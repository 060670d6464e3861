import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import de from "@/i18n/de/errors.json";
import en from "@/i18n/en/errors.json";

const source = readFileSync("../backend/errors.go", "utf8");
const codes = [...source.matchAll(/^\s*Code\w+\s+Code = "(\w+)"/gm)].map((match) => match[1] ?? "");
/** Error codes of the hosted service, with ours for its other statuses. */
const hosted = [
  ...["text_too_long", "paid_access_required", "insufficient_credits", "duplicate_request", "rate_limited"],
  ...["server_busy", "provider_busy", "key_limit_reached", "400", "403", "404", "413", "4xx", "5xx"],
].map((code) => `hosted_${code}`);
/** Error codes of the page itself. */
const own = ["unreachable", "invalid"];
/** The params that the server sends with every error of a code; the texts may use no others. */
const sent: Record<string, string[]> = {
  out_of_memory: ["neededMemory", "freeMemory"], // needed_mb and free_mb with their unit
  license_not_accepted: ["license"],
  hub_rate_limited: ["retry_after"],
  hosted_model_unknown: ["model"],
};

type Words = Record<string, { title: string; remedy?: string }>;

describe.each([
  ["en", en as Words],
  ["de", de as Words],
])("errors in %s", (_, words) => {
  it("parses the codes of the backend", () => expect(codes.length).toBeGreaterThan(45));

  it.each([...codes, ...hosted, ...own])("%s has a sentence and a remedy", (code) => {
    expect(words[code]?.title).toBeTruthy();
    expect(words[code]?.remedy).toBeTruthy();
  });

  it.each(Object.keys(words))("%s uses only values that the server sends", (code) => {
    const used = [...`${words[code]?.title} ${words[code]?.remedy}`.matchAll(/{{(\w+)}}/g)].map((match) => match[1]);
    expect(sent[code] ?? []).toEqual(expect.arrayContaining(used));
  });
});
