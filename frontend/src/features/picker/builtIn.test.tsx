import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import i18next from "i18next";
import { afterEach, expect, test } from "vitest";
import { leaving } from "@/features/voices/library";
import { aProfile, reply } from "@/test";
import { open, rows } from "./testKit";

const voice = (id: string, name: string, language: string, gender = "male") => ({
  ...{ id, name, language, gender, usable: true, reason: "" },
});
const american = voice("en-us", "English (America)", "en-US");
const list = {
  voices: [
    american,
    voice("de", "German", "de"),
    voice("en-gb-x-rp", "English (Received Pronunciation)", "en-GB-x-rp"),
    voice("en-us-nyc", "English (America, New York City)", "en-US-x-nyc"),
    voice("piqd", "Klingon", "tlh-Piqd"),
    voice("qdb", "Lang Belta", "qdb"),
    ...Array.from({ length: 20 }, (_, n) => voice(`x${n}`, `Unknown ${n}`, "zh")),
  ],
  variants: ["f1", "f2", "f3", "m3"].map((name) =>
    voice(`en-us+${name}`, `English (America), ${name}`, "en-US", name.startsWith("f") ? "female" : "male"),
  ),
};
const builtIn = () =>
  aProfile({
    ...{ name: "Built-in voice", description: "", voice_type: "default", language: "en" },
    ...{ preset_engine: "", preset_voice_id: "", model_name: "" },
  });
const show = (profiles = [builtIn()], routes = {}) =>
  open(profiles, [], undefined, {
    "GET /voices/built-in": list,
    "POST /profiles": ({ body }: { body: object }) => aProfile({ id: "new", ...body }),
    ...routes,
  });

afterEach(() => leaving.set(new Set()));

test("without a network the other voices and languages of the built-in engine can be chosen at once", async () => {
  const { user, api, onChoose } = show();
  await screen.findByText("American English, female 3");
  expect(rows()[0]).toContain("Built-in voice");
  expect(rows()[1]).toMatch(/American English \(New York City\).*Male voice · Built-in voice, no download.*Ready/);
  expect(screen.getByText("British English (Received Pronunciation)")).toBeVisible();
  expect(screen.getByText("American English (New York City)")).toBeVisible();
  expect(rows().at(-1)).toMatch(/^\d+ voices from eSpeak NG/);
  await user.click(screen.getByText("American English, female 3"));
  await user.click(screen.getByRole("button", { name: "Use American English, female 3" }));
  await waitFor(() => expect(onChoose).toHaveBeenCalledWith(expect.objectContaining({ id: "new" })));
  expect(api.to("POST /profiles").map(({ body }) => body)).toEqual([
    {
      name: "American English, female 3",
      voice_type: "preset",
      language: "en-US",
      preset_engine: "espeak",
      preset_voice_id: "en-us+f3",
    },
  ]);
});

test("other languages are found by their names, also those that a browser cannot name", async () => {
  const { user } = show();
  await screen.findByText("American English, female 3");
  await user.click(screen.getByRole("textbox"));
  await user.paste("german");
  expect(rows().map((row) => /^German[^G]*?(?=Male|Female)/.exec(row)?.[0])).toEqual([
    "German",
    "German, female 3",
    "German, male 3",
  ]);
  await user.clear(screen.getByRole("textbox"));
  await user.paste("belta");
  expect(rows()[0]).toContain("Lang Belta");
  await user.clear(screen.getByRole("textbox"));
  await user.paste("klingon");
  expect(rows()[0]).toMatch(/^Klingon/);
});

test("a voice that has a profile is not offered again, and a taken name gets a number", async () => {
  const mine = aProfile({ name: "Mine", preset_engine: "espeak", preset_voice_id: "en-us+f2", model_name: "" });
  const names: string[] = [];
  const { user, onChoose } = show([builtIn(), mine], {
    "POST /profiles": ({ body }: { body: { name: string } }) => {
      names.push(body.name);
      return names.length === 1
        ? reply(409, { code: "name_taken", detail: "", remedy: "", params: {} })
        : aProfile({ id: "new", name: body.name });
    },
  });
  await user.dblClick(await screen.findByText("American English, female 1"));
  await waitFor(() => expect(onChoose).toHaveBeenCalled());
  expect(names).toEqual(["American English, female 1", "American English, female 1 (2)"]);
  expect(screen.queryByText("American English, female 2")).toBeNull();
});

const named = (name: string) => screen.queryByText(name, { selector: "span" });

test.each([
  ["in its language", { language: "en" }, "espeak:en-us", "American English", "German"],
  ["in its language", { language: "de" }, "espeak:en-us", "German", "American English"],
  ["as set", { language: "en" }, "espeak:de", "German", "American English"],
  ["as set with another variant", { language: "en" }, "espeak:de+f3", "German, female 3", "German"],
])(
  "the voice that the default profile speaks with, %s, is not offered beside it: %j",
  async (_, part, chosen, own, other) => {
    show([{ ...builtIn(), ...part }], {
      "GET /settings": { "speech.default_voice": chosen },
      "GET /voices/built-in": { ...list, voices: list.voices.slice(0, 3) }, // all are listed
    });
    await screen.findByText("American English, female 3");
    await userEvent.setup().type(screen.getByRole("textbox"), "e");
    expect(named(other)).toBeVisible();
    expect(named(own)).toBeNull();
  },
);

test("a voice whose profile can still be restored is not offered yet", async () => {
  const mine = aProfile({ name: "Mine", preset_engine: "espeak", preset_voice_id: "en-us+f2", model_name: "" });
  leaving.set(new Set([mine.id]));
  show([builtIn(), mine]);
  await screen.findByText("American English, female 1");
  expect(screen.queryByText("Mine")).toBeNull();
  expect(screen.queryByText("American English, female 2")).toBeNull();
  act(() => leaving.set(new Set()));
  await waitFor(() => expect(screen.getByText("Mine")).toBeVisible());
});

test("names are in the language of the page", async () => {
  await i18next.changeLanguage("de");
  show();
  await waitFor(() => expect(screen.getByText("Deutsch, weiblich 3")).toBeVisible());
  expect(screen.getByText("Deutsch, weiblich 1")).toBeVisible();
});
