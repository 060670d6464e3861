import { act, screen, waitFor, within } from "@testing-library/react";
import i18next from "i18next";
import { beforeEach, expect, test, vi } from "vitest";
import { player } from "@/player";
import {
  aDraft,
  aGeneration,
  aModel,
  aProfile,
  fakeApi,
  page,
  renderWithProviders,
  reply,
  type Call,
  type Handler,
} from "@/test";
import type { Profile } from "@/api/types";
import Studio from "..";

const problem = (code: string, params: Record<string, unknown> = {}) => ({
  code,
  detail: `about ${code}`,
  remedy: "",
  params,
});
const heart = aProfile({ name: "Heart" });
const builtIn: Profile = {
  ...aProfile({ name: "Built-in voice", language: "en" }),
  voice_type: "default",
  preset_engine: "",
  preset_voice_id: "",
};
delete builtIn.model_name;
const anna: Profile = {
  ...builtIn,
  ...aProfile({ name: "Anna", language: "de", created_at: "2026-11-21T10:00:00Z" }),
  voice_type: "default",
  preset_engine: "",
  model_name: "",
};

/** A server with these voices, which it lists by name. */
function start(voices: Profile[], routes: Record<string, Handler> = {}) {
  const list = ({ query }: Call) =>
    page(
      voices
        .filter((v) => (query.get("voice_type") ?? v.voice_type) === v.voice_type)
        .sort((a, b) =>
          query.get("sort") === "oldest" ? a.created_at.localeCompare(b.created_at) : a.name.localeCompare(b.name),
        ),
    );
  const one = ({ params }: Call) => voices.find((v) => v.id === params.id) ?? reply(404, problem("profile_not_found"));
  const api = fakeApi({
    "GET /profiles": list,
    "GET /profiles/{id}": one,
    "GET /drafts": page([]),
    "GET /models/status": { models: [] },
    "GET /settings": { "speech.default_voice": "espeak:en-us" },
    "POST /drafts": ({ body }: Call) => aDraft({ ...(body as object), id: "d1" }),
    "PUT /drafts/{id}": ({ body }: Call) => aDraft({ ...(body as object), id: "d1" }),
    "POST /text/preview": {
      spoken: "a",
      sentences: [],
      chunks: ["a"],
      phonemes: "",
      seconds: 29,
      dropped_tags: [],
      pauses: [],
      shortened_pauses: [],
    },
    ...routes,
  });
  return { api, ...renderWithProviders(<Studio />) };
}
const voice = () => screen.findByRole("region", { name: "Voice" });
const paper = () => screen.findByRole("textbox", { name: "Text" });

beforeEach(() => {
  vi.spyOn(window, "requestAnimationFrame").mockReturnValue(0);
  vi.spyOn(player, "load").mockImplementation(() => undefined);
  localStorage.clear();
});

test("a draft without a voice has the default voice, and stores it with its first words", async () => {
  const { api, user } = start([anna, builtIn]);
  await waitFor(async () => expect(within(await voice()).getByText("Built-in voice")).toBeVisible());
  expect(api.to("POST /drafts")).toHaveLength(0); // opening a draft stores nothing
  await user.type(await paper(), "Words");
  await waitFor(() => expect(api.to("POST /drafts")[0]?.body).toMatchObject({ content: { profile_id: builtIn.id } }));
});

test("the built-in voice has its German name in German", async () => {
  await act(() => i18next.changeLanguage("de"));
  start([anna, builtIn]);
  const facts = within(await screen.findByRole("region", { name: "Stimme" }));
  await waitFor(() => expect(facts.getByText("Eingebaute Stimme")).toBeVisible());
  await act(() => i18next.changeLanguage("en"));
});

test("a draft without a voice begins with the last used one", async () => {
  localStorage.setItem("voicewright.studio.voice", anna.id);
  start([anna, builtIn]);
  await waitFor(async () => expect(within(await voice()).getByText("Anna")).toBeVisible());
});

test("without the last used voice and a default voice, one must be chosen", async () => {
  localStorage.setItem("voicewright.studio.voice", "gone");
  start([heart]);
  await waitFor(async () => expect(within(await voice()).getByText("No voice chosen")).toBeVisible());
});

test("the engine has one name, and a voice without randomness has no seed", async () => {
  const { unmount } = start([builtIn]);
  const facts = await voice();
  await waitFor(() => expect(within(facts).getByText("eSpeak NG")).toBeVisible());
  expect(within(facts).getByText("None needed")).toBeVisible();
  expect(screen.queryByLabelText("Seed")).toBeNull();
  expect(screen.getAllByRole("slider", { name: "Speed" })).toHaveLength(1);
  unmount();
  localStorage.setItem("voicewright.studio.voice", heart.id);
  start([heart], { "GET /models/status": { models: [aModel({ downloaded: true, display_name: "Kokoro q8" })] } });
  await waitFor(() => expect(screen.getByText("Kokoro")).toBeVisible());
  expect(await voice()).toHaveTextContent("Kokoro q8Ready");
  expect(screen.getByLabelText("Seed")).toBeVisible();
});

test("Stop says that nothing was saved, and it can be generated again", async () => {
  const running = aGeneration({
    status: "generating",
    chunks: [],
    chunks_done: 63,
    chunks_total: 584,
    progress: 0.1,
    audio_url: "",
  });
  let now = running;
  const { api, user } = start([builtIn], {
    "POST /generate": () => {
      now = running;
      return reply(202, running);
    },
    "GET /generate/{id}": () => now,
    "POST /generate/{id}/stop": () => {
      now = { ...running, status: "cancelled", chunks_done: 0, chunks_total: 0 };
      return now;
    },
  });
  await within(await voice()).findByText("Built-in voice");
  await user.click(screen.getByRole("button", { name: "Generate" }));
  await screen.findByText(/Passage 64 of 584/);
  await user.click(screen.getByRole("button", { name: "Stop" }));
  const note = (await screen.findByText("Stopped. Nothing was saved.")).closest<HTMLElement>("[role=status]");
  await user.click(within(note ?? document.body).getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(api.to("POST /generate")).toHaveLength(2));
  expect(screen.queryByText(/Nothing was saved/)).toBeNull();
});

test("if the files of a model are missing, one button downloads them, shows their size, and generates", async () => {
  localStorage.setItem("voicewright.studio.voice", heart.id);
  const model = aModel({ downloaded: true, size_mb: 25 });
  const failed = aGeneration({ status: "failed", error: { code: "model_corrupt", detail: "gone", remedy: "" } });
  const { api, user } = start([heart], {
    "GET /models/status": { models: [model] },
    "POST /models/download": reply(202, {}),
    "POST /generate": failed,
    "GET /generate/{id}": failed,
    "POST /generate/{id}/retry": { ...failed, status: "downloading_model", error: null },
  });
  await within(await voice()).findByText("Heart");
  await user.click(screen.getByRole("button", { name: "Generate" }));
  await user.click(await screen.findByRole("button", { name: "Download 25 MB again" }));
  await waitFor(() => expect(api.to("POST /models/download")[0]?.body).toEqual({ model_name: "kokoro" }));
  await waitFor(() => expect(api.to("POST /generate/{id}/retry")).toHaveLength(1));
});

test("a voice whose model was deleted says that it is not installed", async () => {
  localStorage.setItem("voicewright.studio.voice", heart.id);
  start([heart], { "GET /models/status": { models: [] } });
  await waitFor(async () => expect(within(await voice()).getByText("Not installed")).toBeVisible());
});
