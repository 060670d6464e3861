import { screen, waitFor } from "@testing-library/react";
import i18next from "i18next";
import { expect, test } from "vitest";
import { aModel, aProfile, page, reply } from "@/test";
import { here, open, rows } from "./testKit";

const voicesOf = (...list: [string, string, "female" | "male"][]) => ({
  voices_list: list.map(([name, language, gender]) => ({
    id: `x_${name.toLowerCase()}`,
    name,
    language,
    gender,
    usable: true,
    reason: "",
  })),
});
/** One voice is installed; a model of three voices and a single-voice model can be downloaded. */
function shop() {
  const lessac = aModel({
    model_name: "piper-lessac",
    display_name: "Lessac (medium)",
    engine: "piper",
    variant: "medium",
    repo_id: "a/piper",
    voices: 1,
    languages: ["en-US"],
    size_mb: 64,
    note: "Quick American English, medium quality",
  });
  const kokoro = aModel({ voices: 3, languages: ["en-US", "de-DE"] });
  const builtIn = aProfile({
    name: "Built-in voice",
    description: "",
    gender: "",
    voice_type: "default",
    preset_engine: "",
    preset_voice_id: "",
    model_name: "",
    language: "en",
  });
  return open([builtIn], [kokoro, lessac], undefined, {
    "GET /models/{name}": voicesOf(
      ["Heart", "en-US", "female"],
      ["Adam", "en-US", "male"],
      ["Klara", "de-DE", "female"],
    ),
  });
}

test("the filters count the downloadable voices too", async () => {
  const { user } = shop();
  await screen.findByText("3 voices from Kokoro");
  const line = (name: string) => screen.getByRole("checkbox", { name }).closest("div");
  expect(line("English")).toHaveTextContent("English4");
  expect(line("German")).toHaveTextContent("German1");
  expect(line("Piper")).toHaveTextContent("Piper1");
  expect(line("Favourites")).toHaveTextContent("Favourites0");
  await user.click(screen.getByRole("checkbox", { name: "Female" }));
  expect(rows().slice(1)).toEqual([expect.stringContaining("2 voices from Kokoro")]);
  expect(line("German")).toHaveTextContent("German1");
  expect(line("Piper")).toHaveTextContent("Piper0");
  await user.click(screen.getByRole("checkbox", { name: "German" }));
  expect(rows().slice(1)).toEqual([expect.stringMatching(/Klara.*Female voice.*German.*Kokoro.*338 MB/)]);
});

test("a voice that is not installed is found by name, described, and chosen once it is downloaded", async () => {
  const { user, api, onChoose } = shop();
  await screen.findByText("3 voices from Kokoro");
  await user.keyboard("lessac");
  expect(rows()[1]).toMatch(/Lessac.*Medium quality · Very fast, clear sound.*Piper.*64 MB/);
  await user.clear(screen.getByRole("textbox"));
  await user.keyboard("klara{ArrowDown} ");
  expect(rows()[1]).toContain("Klara");
  expect(screen.getByRole("button", { name: "Download Klara to listen to it" })).toHaveAttribute(
    "aria-disabled",
    "true",
  );
  expect(screen.queryByRole("button", { name: "Favourite: Klara" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Download Klara" }));
  await waitFor(() => expect(screen.getByText("Klara needs Kokoro. Download 338 MB?")).toBeVisible());
  api.set("POST /models/download", () => {
    api.set("GET /models/status", { models: [here({ voices: 3 })] });
    api.set(
      "GET /profiles",
      page([
        aProfile({ name: "Heart", preset_voice_id: "kokoro#x_heart" }),
        aProfile({ name: "Klara", preset_voice_id: "kokoro#x_klara" }),
      ]),
    );
    return { model_name: "kokoro", status: "downloading", progress_url: "" };
  });
  await user.click(screen.getByRole("button", { name: "Download 338 MB" }));
  await waitFor(() =>
    expect(onChoose).toHaveBeenCalledWith(
      expect.objectContaining({ name: "Klara", preset_voice_id: "kokoro#x_klara" }),
    ),
  );
});

test("a voice that was deleted before does not come with its model: the dialog says so and restores it", async () => {
  const { user, api, onChoose } = shop();
  await screen.findByText("3 voices from Kokoro");
  await user.keyboard("klara{ArrowDown}");
  await user.click(screen.getByRole("button", { name: "Download Klara" }));
  api.set("POST /models/download", () => {
    api.set("GET /models/status", { models: [here({ voices: 3 })] });
    api.set("GET /profiles", page([aProfile({ name: "Heart", preset_voice_id: "kokoro#x_heart" })]));
    return { model_name: "kokoro", status: "downloading", progress_url: "" };
  });
  await user.click(await screen.findByRole("button", { name: "Download 338 MB" }));
  await waitFor(() => expect(screen.getByText(/Kokoro is installed, but you deleted the voice Klara/)).toBeVisible());
  expect(onChoose).not.toHaveBeenCalled();
  api.set("POST /profiles", ({ body }: { body: { name: string } }) =>
    body.name === "Klara"
      ? reply(409, { code: "name_taken", detail: "x", remedy: "", params: {} })
      : aProfile({ name: body.name, preset_voice_id: "x_klara" }),
  );
  await user.click(screen.getByRole("button", { name: "Restore Klara" }));
  await waitFor(() => expect(onChoose).toHaveBeenCalledWith(expect.objectContaining({ name: "Klara (Kokoro)" })));
  expect(api.to("POST /profiles")[0]?.body).toEqual({
    name: "Klara",
    voice_type: "preset",
    model_name: "kokoro",
    preset_voice_id: "x_klara",
  });
});

test("in German no text is English, and the built-in voice has a translated name", async () => {
  await i18next.changeLanguage("de");
  shop();
  await waitFor(() => expect(screen.getByText("Eingebaute Stimme")).toBeVisible());
  await waitFor(() => expect(screen.getByText("3 Stimmen von Kokoro")).toBeVisible());
  expect(rows().join()).not.toMatch(/Quick|quality|Warm|Built-in/);
  expect(rows().at(-1)).toMatch(/Lessac.*Mittlere Qualität/);
});

test("a published sample of a voice can be heard before the download", async () => {
  const voice = { voices: 1, languages: ["en-US"], engine: "piper", size_mb: 64 };
  const lessac = aModel({ ...voice, model_name: "piper-lessac", display_name: "Lessac (medium)", samples: true });
  const amy = aModel({ ...voice, model_name: "piper-amy", display_name: "Amy (medium)" });
  const { user, api } = open([], [lessac, amy], undefined, {
    "GET /models/{name}/voices/{voice}/sample": () => new Response("ID3"),
  });
  await user.click(await screen.findByRole("button", { name: "Listen to Lessac" }));
  await waitFor(() =>
    expect(api.to("GET /models/{name}/voices/{voice}/sample").map(({ params }) => params)).toEqual([
      { name: "piper-lessac", voice: "0" },
    ]),
  );
  expect(screen.getByRole("button", { name: "Download Amy to listen to it" })).toHaveAttribute("aria-disabled");
});
