import i18next, { type FormatterModule, type i18n, type ReadCallback } from "i18next";
import { initReactI18next } from "react-i18next";
import { prefs } from "@/lib/prefs";
import { textValue } from "./format";
import { pseudo, pseudoLanguages } from "./pseudo";

/** The languages of the interface. */
export const languages = ["en", "de"] as const;

/** How values get into texts: all pass through the formatter, so that every number is in the language of its text. */
export const interpolation = { escapeValue: false, alwaysFormat: true };
const unused = () => undefined;
export const formatter: FormatterModule = {
  type: "formatter",
  format: textValue,
  init: unused,
  add: unused,
  addCached: unused,
};

type Texts = Record<string, unknown>;
const files = import.meta.glob<Texts>("./{en,de}/*.json", { import: "default" });

async function load(language: string, namespace: string): Promise<Texts> {
  const isPseudo = pseudoLanguages.includes(language);
  const file = files[`./${isPseudo ? "en" : language}/${namespace}.json`];
  if (!file) throw new Error(`no texts ${language}/${namespace}`);
  const texts = await file();
  return isPseudo ? pseudo(language, texts) : texts;
}

/** Returns the interface language: the chosen one, else the first of the browser that is available, else English. */
export function chooseLanguage(
  wanted = prefs.get().language,
  offered: readonly string[] = navigator.languages,
): string {
  const known: string[] = [...languages, ...pseudoLanguages];
  if (known.includes(wanted)) return wanted;
  return offered.map((tag) => tag.split("-")[0] ?? "").find((tag) => known.includes(tag)) ?? "en";
}

export function directionOf(language: string): "ltr" | "rtl" {
  return language === "en-XB" ? "rtl" : "ltr";
}

export function showLanguage(language: string): void {
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
}

/** Loads the texts of the frame; namespaces of screens load with the screens. */
export async function startTexts(): Promise<i18n> {
  i18next.on("languageChanged", showLanguage);
  prefs.subscribe(() => {
    const next = chooseLanguage();
    if (next !== i18next.language) void i18next.changeLanguage(next);
  });
  await i18next
    .use({
      type: "backend" as const,
      init: () => undefined,
      read: (language: string, namespace: string, done: ReadCallback) => {
        load(language, namespace).then(
          (texts) => done(null, texts as never),
          (error: unknown) => done(error as Error, false),
        );
      },
    })
    .use(formatter)
    .use(initReactI18next)
    .init({
      lng: chooseLanguage(),
      fallbackLng: "en",
      ns: ["common", "errors", "hosted"],
      defaultNS: "common",
      load: "currentOnly",
      interpolation,
      returnNull: false,
    });
  return i18next;
}
