import { renderHook } from "@testing-library/react";
import { expect, it } from "vitest";
import { actionsFor, toProblem, useErrorText } from "./errors";

const text = (places: string[], code: string, params: Record<string, unknown> = {}) =>
  renderHook(() => useErrorText(places)).result.current({ code, params, detail: "English.", remedy: "Do it." });

it("words an error by its code, whatever the server's message is", () => {
  expect(text([], "profile_not_found").title).not.toBe("English.");
  expect(text([], "a_code_of_tomorrow")).toEqual({ title: "English.", remedy: "Do it." });
});

it("prefers the texts of a screen if it has their params", () => {
  const params = { needed: 3_000_000, free: 1_000_000 };
  expect(text(["models:errors"], "insufficient_disk", params).title).toMatch(/3.*MB.*1.*MB/);
  expect(text(["models:errors"], "insufficient_disk").title).toBe(text([], "insufficient_disk").title);
});

it("offers a retry unless another action helps", () => {
  expect(actionsFor("a_code_of_tomorrow")).toEqual(["retry"]);
  expect(actionsFor("model_not_downloaded")).toContain("downloadModel");
  expect(actionsFor("nothing_to_speak")).toEqual([]);
});

it("converts anything that is thrown", () => {
  expect(toProblem({ code: "offline", params: "wrong" })).toEqual({
    code: "offline",
    detail: "",
    remedy: "",
    params: {},
  });
  expect(toProblem(new Error("Oh."))).toMatchObject({ code: "internal", detail: "Oh." });
  expect(toProblem(undefined)).toMatchObject({ code: "internal" });
});

it("words each failure of the hosted service, with and without its code", () => {
  expect(text([], "hosted_402")).toEqual(text([], "hosted_insufficient_credits"));
  expect(text([], "hosted_429")).toEqual(text([], "hosted_rate_limited"));
  expect(text([], "hosted_500").remedy).toContain("refunded");
  expect(text([], "hosted_418").title).toBe("The hosted service refused the request.");
  expect(actionsFor("hosted_402")).toContain("openAccount");
  expect(actionsFor("hosted_503")).toEqual(["retry"]);
});

it("says what stands between this machine and the model hub", () => {
  const failed = (reason: string) =>
    text(["models:errors"], "download_failed", { reason, host: "hub.example", proxy: "proxy.example:3128" });
  expect(failed("blocked").title).toMatch(/web filter/);
  expect(failed("blocked").remedy).toContain("hub.example");
  expect(failed("sign_in").remedy).toMatch(/sign in to the network/);
  expect(failed("proxy_auth").title).toBe("The proxy proxy.example:3128 requires a name and a password.");
  expect(failed("authority").title).toContain("hub.example");
  for (const reason of ["blocked", "sign_in", "proxy_auth", "proxy", "legal", "authority"]) {
    expect(failed(reason)).not.toEqual(failed("of tomorrow"));
    expect(text([], "download_failed", { reason })).not.toEqual(text([], "download_failed"));
  }
  expect(text([], "hub_gated", { reason: "token" }).title).toContain("HF_TOKEN");
});

it("names the model that is missing, and its size", () => {
  const params = { model_name: "whisper-base", display_name: "Whisper base", size_mb: 148 };
  expect(text([], "offline", params).title).toBe("Whisper base (148 MB) isn’t downloaded, and offline mode is on.");
  expect(text([], "model_not_downloaded", params).title).toBe("Whisper base (148 MB) isn’t downloaded.");
  expect(text([], "offline").title).not.toContain("MB");
});

it("says that a cloned voice has no sample", () => {
  expect(text([], "engine_mismatch").title).toBe("This voice belongs to another engine.");
  const { title, remedy } = text([], "engine_mismatch", { reason: "no_sample" });
  expect(title).toBe("This voice has no sample.");
  expect(remedy).toContain("Add a sample to it in Voices");
  expect(text([], "engine_mismatch", { reason: "short_samples" }).title).toMatch(/samples .* too short/);
});

it("says what is wrong with how a service has its users signed in", () => {
  for (const places of [[], ["account:errors"]]) {
    expect(text(places, "hosted_not_signed_in", { reason: "not_renewed" }).title).toMatch(/ended.*doesn’t renew/);
    expect(text(places, "hosted_bad_answer", { reason: "login", member: "scopes" }).title).toMatch(/unusable.*scopes/);
    expect(text(places, "hosted_sign_in_failed", { reason: "no_id_token" }).remedy).toMatch(/openid/);
  }
});

it("says which credential was refused, and whether a lost answer was charged", () => {
  expect(text([], "hosted_not_signed_in", { reason: "session" }).title).toMatch(/sign-in.*has ended/);
  expect(text([], "hosted_not_signed_in", { reason: "key" }).title).toMatch(/API key/);
  const lost = (before: number, after: number) =>
    text([], "hosted_answer_lost", { credits_before: before, credits_after: after }).remedy;
  expect(lost(9000, 8790)).toContain("from 9,000 to 8,790");
  expect(lost(9000, 9000)).toContain("not charged");
  expect(text([], "hosted_answer_lost").remedy).toContain("may have been charged");
  expect(text([], "hosted_bad_answer", { credits_before: 9000, credits_after: 8790 }).remedy).toContain(
    "from 9,000 to 8,790",
  );
  expect(text([], "hosted_bad_answer").remedy).toContain("may have been charged");
  const kept = { reason: "repeat", credits_before: 9000, credits_after: 8790 };
  for (const code of ["hosted_answer_lost", "hosted_bad_answer"]) {
    expect(text([], code, kept).remedy).toContain("isn’t charged twice");
    expect(text([], code, kept).title).toBe(text([], code).title);
  }
  for (const code of ["hosted_unreachable", "hosted_bad_answer"]) {
    expect(text([], code, { reason: "download" }).remedy).toContain("isn’t charged again");
  }
});
