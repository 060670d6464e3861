import i18next from "i18next";
import { expect, it } from "vitest";
import "@/i18n";

it.each([
  ["en", "history:import.made", { count: 1, done: "1", total: "1" }, "1 row is already generated."],
  ["de", "history:import.made", { count: 1, done: "1", total: "1" }, "1 Zeile ist schon erzeugt."],
  ["en", "history:verify.title", {}, "Proof-listening"],
  ["en", "settings:rows.speech.verify.title", {}, "Proof-listening"],
  ["de", "settings:rows.speech.verify.title", {}, "Korrekturhören"],
  ["en", "picker:need.check.title", {}, "Proof-listening"],
  ["de", "picker:need.check.title", {}, "Korrekturhören"],
  ["de", "errors:hosted_bad_answer.title_sign_in", {}, "Der Anmeldeserver hat unerwartet geantwortet."],
  ["de", "history:verify.started", { count: 1 }, "1 Aufnahme wird geprüft"],
  [
    "de",
    "history:import.price",
    { count: 2, number: "2" },
    "Die gehosteten Zeilen kosten 2 Credits. Erneut erzeugen, um zuzustimmen.",
  ],
  ["de", "studio:spoken.open", {}, "Gesprochenen Text ansehen"],
] as const)("says it as a native speaker would: %s %s", async (language, key, values, text) => {
  const t = i18next.getFixedT(language);
  await i18next.loadLanguages(language);
  await i18next.loadNamespaces(key.split(":")[0] ?? "");
  expect(t(key as never, values as never)).toBe(text);
});
