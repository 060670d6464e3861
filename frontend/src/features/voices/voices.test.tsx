import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import i18next from "i18next";
import { afterEach, expect, test, vi } from "vitest";
import type { Model, Profile } from "@/api/types";
import { leaving } from "./library";
import { aModel, aProfile, fakeApi, hostedRoutes, page, renderWithProviders, reply } from "@/test";
import Voices from ".";

const kokoro = aModel({ downloaded: true, state: "downloaded" });
const heart = () => aProfile({ name: "Heart", preset_voice_id: "kokoro#af_heart" });
const bella = () => aProfile({ name: "Bella", preset_voice_id: "kokoro#af_bella" });
const own = () =>
  aProfile({
    name: "Built-in voice",
    description: "",
    voice_type: "default",
    preset_engine: "",
    preset_voice_id: "",
    model_name: "",
  });

function open(profiles: Profile[], models: Model[] = [kokoro], hash = "#/voices") {
  const api = fakeApi({
    "GET /profiles": page(profiles),
    "GET /models/status": { models },
    "GET /settings": { "speech.default_voice": "espeak:en-us" },
    "DELETE /profiles/{id}": reply(204),
    "PUT /profiles/{id}": (call: { params: Record<string, string>; body: unknown }) => ({
      ...profiles.find((p) => p.id === call.params.id),
      ...(call.body as object),
    }),
    "POST /profiles": (call: { body: unknown }) => aProfile(call.body as Partial<Profile>),
  });
  return { api, ...renderWithProviders(<Voices />, { hash }) };
}
const rows = () => screen.getAllByRole("row").map((row) => row.textContent ?? "");

afterEach(() => {
  vi.useRealTimers();
  leaving.set(new Set());
});

test("lists the person's own voices before those of an engine", async () => {
  open([bella(), own(), heart()]);
  await screen.findByText("Heart");
  expect(rows().map((text) => /Your voices|Kokoro|Built-in voice|Bella|Heart/.exec(text)?.[0])).toEqual([
    "Your voices",
    "Built-in voice",
    "Kokoro",
    "Bella",
    "Heart",
  ]);
});

test("a slider keeps the focus when its value is saved", async () => {
  const saved = heart();
  const { api, user } = open([saved], [kokoro], `#/voices/${saved.id}`);
  const slider = await screen.findByRole("slider", { name: "Speed" });
  api.set("GET /profiles", page([{ ...saved, speed: 1.05 }]));
  slider.focus();
  await user.keyboard("{ArrowRight}");
  await waitFor(() => expect(api.to("PUT /profiles/{id}")[0]?.body).toEqual({ speed: 1.05 }));
  await waitFor(() => expect(api.to("GET /profiles").length).toBeGreaterThan(1));
  await waitFor(() => expect(screen.getByRole("slider", { name: "Speed" })).toHaveFocus());
  api.set("GET /profiles", page([{ ...saved, speed: 1.1 }]));
  await user.keyboard("{ArrowRight}");
  await waitFor(() => expect(api.to("PUT /profiles/{id}")[1]?.body).toEqual({ speed: 1.1 }));
});

test("the next voice has the focus after one was deleted with the keyboard", async () => {
  const { user } = open([bella(), heart()]);
  const row = (await screen.findByText("Bella")).closest<HTMLElement>("[data-key]");
  row?.focus();
  await user.keyboard("{Delete}");
  await waitFor(() => expect(screen.queryByRole("row", { name: /Bella/ })).toBeNull());
  await waitFor(() => expect(screen.getByText("Heart").closest("[data-key]")).toHaveFocus());
});

async function deleteHeart(profiles: Profile[]) {
  const view = open(profiles);
  await view.user.click(await screen.findByRole("button", { name: "More for Heart" }));
  vi.useFakeTimers();
  fireEvent.click(await vi.waitFor(() => screen.getByRole("menuitem", { name: /Delete/ }), { timeout: 60_000 }));
  return view;
}

test("deletes when the undo bar ends", async () => {
  const profile = heart();
  const { api } = await deleteHeart([profile, bella()]);
  expect(screen.queryByRole("button", { name: "More for Heart" })).toBeNull();
  expect(api.to("DELETE /profiles/{id}")).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(10_100);
  expect(api.to("DELETE /profiles/{id}")[0]?.path).toBe(`/profiles/${profile.id}`);
});

test("restores a deleted voice", async () => {
  const { api } = await deleteHeart([heart(), bella()]);
  fireEvent.click(screen.getByRole("button", { name: "Undo" }));
  expect(screen.getByText("Heart")).toBeVisible();
  await vi.advanceTimersByTimeAsync(11_000);
  expect(api.to("DELETE /profiles/{id}")).toHaveLength(0);
});

test("deletes at once when the page closes", async () => {
  const { api } = await deleteHeart([heart()]);
  window.dispatchEvent(new Event("pagehide"));
  await vi.advanceTimersByTimeAsync(1);
  expect(api.to("DELETE /profiles/{id}")).toHaveLength(1);
});

test("a voice that could not be deleted reappears with an error", async () => {
  const { api } = await deleteHeart([heart()]);
  api.set("DELETE /profiles/{id}", reply(503, { code: "offline", detail: "no", remedy: "", params: {} }));
  await vi.advanceTimersByTimeAsync(10_100);
  vi.useRealTimers();
  await waitFor(() => expect(screen.getByText("Heart couldn’t be deleted.")).toBeVisible());
});

test("sends only the changed fields", async () => {
  const profile = heart();
  const { user, api } = open([profile], [kokoro], `#/voices/${profile.id}`);
  const name = await screen.findByRole("textbox", { name: "Name" });
  await user.clear(name);
  expect(screen.getByRole("alert")).toHaveTextContent("A voice needs a name.");
  await user.type(name, "Harriet{Enter}");
  await waitFor(() => expect(api.to("PUT /profiles/{id}")).toHaveLength(1));
  expect(api.to("PUT /profiles/{id}")[0]?.body).toEqual({ name: "Harriet" });
});

test("reports under the name field that the name is taken", async () => {
  const profile = heart();
  const { user, api } = open([profile], [kokoro], `#/voices/${profile.id}`);
  api.set("PUT /profiles/{id}", reply(409, { code: "name_taken", detail: "x", remedy: "", params: {} }));
  await user.type(await screen.findByRole("textbox", { name: "Name" }), "x{Enter}");
  await waitFor(() => expect(screen.getByText("Another voice already has this name.")).toBeVisible());
});

test("creates a mixture of two voices", async () => {
  const first = heart();
  const { user, api } = open([first, bella(), own()]);
  await screen.findByText("Heart");
  await user.keyboard("n");
  const dialog = within(await screen.findByRole("dialog", { name: "New voice" }));
  await user.click(dialog.getByRole("radio", { name: "A mix of two voices" }));
  await user.selectOptions(dialog.getByRole("combobox", { name: "First voice" }), "Heart");
  expect(dialog.queryByRole("option", { name: "Built-in voice" })).toBeNull();
  await user.selectOptions(dialog.getByRole("combobox", { name: "Second voice" }), "Bella");
  dialog.getByRole("slider").focus();
  await user.keyboard("{ArrowRight}{ArrowRight}");
  await user.click(dialog.getByRole("button", { name: "Create voice" }));
  await waitFor(() => expect(api.to("POST /profiles")).toHaveLength(1));
  expect(api.to("POST /profiles")[0]?.body).toEqual({
    name: "Heart and Bella",
    voice_type: "preset",
    preset_engine: "kokoro",
    model_name: "kokoro",
    preset_voice_id: "af_heart:0.6+af_bella:0.4",
    language: "en-US",
  });
});

test("creates a voice of a model that is not installed", async () => {
  const { user, api } = open([own()], [aModel()]);
  await screen.findByText("Built-in voice");
  await user.click(screen.getByRole("button", { name: /New voice/ }));
  await waitFor(() => expect(screen.getByRole("button", { name: "Create voice" })).toBeDisabled());
  await user.selectOptions(screen.getByRole("combobox", { name: "Voice" }), "Kokoro · 338 MB");
  await user.type(within(screen.getByRole("dialog")).getByRole("textbox", { name: "Name" }), "Reader");
  await user.click(screen.getByRole("button", { name: "Create voice" }));
  await waitFor(() =>
    expect(api.to("POST /profiles")[0]?.body).toEqual({ name: "Reader", voice_type: "preset", model_name: "kokoro" }),
  );
});

test("shows unusable voices with their reason only on request, but cloned ones always", async () => {
  const { user } = open([
    heart(),
    aProfile({ name: "Xiaobei", usable: false, reason: "Chinese cannot be spoken yet." }),
    aProfile({ name: "Grandad", voice_type: "cloned", usable: false, reason: "No sample.", description: "" }),
  ]);
  await screen.findByText("Heart");
  expect(screen.getByText("No sample yet")).toBeVisible();
  expect(screen.queryByText("Xiaobei")).toBeNull();
  await user.click(screen.getByRole("button", { name: "More" }));
  await user.click(await screen.findByRole("menuitemcheckbox", { name: "Show unsupported voices" }));
  await waitFor(() => expect(screen.getByText("Chinese cannot be spoken yet.")).toBeVisible());
});

test("says how to get voices when there are none, and shows an error with a retry", async () => {
  const { api, user, unmount } = open([]);
  await waitFor(() => expect(screen.getByText("No voices yet")).toBeVisible());
  expect(screen.getByRole("link", { name: "Go to Models" })).toHaveAttribute("href", "#/models");
  unmount();
  const again = open([heart()]);
  expect(api.calls.length).toBeGreaterThan(0);
  again.unmount();
  fakeApi({ "GET /profiles": reply(500, { code: "internal", detail: "x", remedy: "", params: {} }) });
  renderWithProviders(<Voices />);
  await waitFor(() => expect(screen.getByRole("alert")).toBeVisible());
  const fixed = fakeApi({
    "GET /profiles": page([heart()]),
    "GET /models/status": { models: [kokoro] },
    "GET /settings": {},
  });
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(screen.getByText("Heart")).toBeVisible());
  expect(fixed.to("GET /profiles")).toHaveLength(1);
});

test("imports a file and shows what is wrong with an invalid one", async () => {
  const { user, api } = open([heart()]);
  await screen.findByText("Heart");
  api.set(
    "POST /profiles/import",
    reply(422, { code: "unsupported_format", detail: "This is no voice.", remedy: "", params: {} }),
  );
  const file = new File(["x"], "voice.zip", { type: "application/zip" });
  await user.upload(screen.getByLabelText("Import voice"), file);
  await waitFor(() => expect(screen.getByRole("alert")).toBeVisible());
  api.set("POST /profiles/import", reply(201, aProfile({ name: "Guest" })));
  await user.upload(screen.getByLabelText("Import voice"), file);
  await waitFor(() => expect(screen.getByText("Guest imported")).toBeVisible());
});

test("names the file that is no voice, and the one that is", async () => {
  const { user, api } = open([heart()]);
  await screen.findByText("Heart");
  api.set("POST /profiles/import", reply(415, { code: "unsupported_media", detail: "x", remedy: "", params: {} }));
  await user.upload(screen.getByLabelText("Import voice"), new File(["x"], "choir.zip", { type: "application/zip" }));
  const alert = await screen.findByRole("alert");
  expect(alert).toHaveTextContent("“choir.zip” isn’t an exported voice.");
  expect(alert).toHaveTextContent("Choose a .zip file created with Export.");
  api.set(
    "POST /profiles/import",
    reply(507, { code: "disk_full", detail: "The disk is full.", remedy: "", params: {} }),
  );
  await user.upload(screen.getByLabelText("Import voice"), new File(["x"], "choir.zip", { type: "application/zip" }));
  await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("“choir.zip” couldn’t be imported."));
});

test("suggests models for the language when there are few voices", async () => {
  const piper = (name: string, tag: string) =>
    aModel({
      model_name: name,
      display_name: `${name} (medium)`,
      engine: "piper",
      variant: "medium",
      voices: 1,
      languages: [tag],
      size_mb: 64,
    });
  const view = open([own()], [aModel(), piper("Lessac", "en-US"), piper("Thorsten", "de-DE")]);
  const more = within(await screen.findByRole("region", { name: "More voices" }));
  expect(more.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
    expect.stringMatching(/Kokoro.*54 voices.*338 MB/),
    expect.stringMatching(/Lessac.*Medium quality.*Piper.*64 MB/),
  ]);
  expect(more.getByRole("link", { name: "Show Lessac, 64 MB, in Models" })).toHaveAttribute("href", "#/models/Lessac");
  expect(more.getByRole("link", { name: "All 3 models to download" })).toHaveAttribute("href", "#/models?tab=more");
  view.unmount();
  open(
    Array.from({ length: 9 }, (_, i) => aProfile({ name: `Voice ${String(i)}` })),
    [kokoro, piper("Lessac", "en-US")],
  );
  await screen.findByText("Voice 3");
  expect(screen.queryByRole("region", { name: "More voices" })).toBeNull();
});

test("the inspector has one button and a menu for the rest", async () => {
  const profile = heart();
  const { user } = open([profile, bella()], [kokoro], `#/voices/${profile.id}`);
  const pane = within(await screen.findByRole("complementary"));
  await waitFor(() => expect(pane.getByRole("heading", { name: "Heart" })).toBeVisible());
  expect(pane.getByRole("link", { name: "Use in Studio" })).toHaveAttribute("href", `#/studio?voice=${profile.id}`);
  expect(pane.queryByRole("button", { name: "Delete" })).toBeNull();
  await user.click(pane.getByRole("button", { name: "More for Heart" }));
  expect((await screen.findAllByRole("menuitem")).map((item) => item.textContent)).toEqual([
    "Duplicate",
    "Export",
    "DeleteDel",
  ]);
  await user.click(screen.getByRole("menuitem", { name: /Delete/ }));
  await waitFor(() => expect(screen.getByText("Heart deleted")).toBeVisible());
});

test("in German the built-in voice has a translated name, which saving does not store", async () => {
  await i18next.changeLanguage("de");
  const profile = own();
  const { user, api } = open([profile, heart()], [kokoro], `#/voices/${profile.id}`);
  const name = await screen.findByRole("textbox", { name: "Name" });
  expect(name).toHaveValue("Eingebaute Stimme");
  await user.click(name);
  await user.tab();
  expect(api.to("PUT /profiles/{id}")).toHaveLength(0);
});

test("offers each language once", async () => {
  const profile = heart();
  open(
    [profile],
    [aModel({ downloaded: true, languages: ["en-US", "en-GB", "en", "de", "de-DE", "zh", "zh-CN"] })],
    `#/voices/${profile.id}`,
  );
  const choice = await within(await screen.findByRole("complementary")).findByRole("combobox", { name: "Language" });
  await waitFor(() =>
    expect(
      within(choice)
        .getAllByRole("option")
        .map((option) => option.textContent),
    ).toEqual(["American English", "British English", "Chinese", "German"]),
  );
  expect(choice).toHaveValue("en-US");
});

test("a voice whose model is damaged links to the model", async () => {
  const { api, user } = open([heart()]);
  api.set("GET /profiles/{id}/preview", () =>
    reply(409, { code: "model_corrupt", detail: "", remedy: "", params: {} }),
  );
  await user.click(await screen.findByRole("button", { name: "Listen to Heart" }));
  await waitFor(() =>
    expect(screen.getByRole("link", { name: "Show model" })).toHaveAttribute("href", "#/models/kokoro"),
  );
});

test("a new hosted voice is chosen in the picker, which shows hosted voices only", async () => {
  const { api, user } = open([heart()]);
  for (const [route, answer] of Object.entries(hostedRoutes())) api.set(route, answer);
  await screen.findByText("Heart");
  await user.click(screen.getByRole("button", { name: /New voice/ }));
  await user.click(await screen.findByRole("radio", { name: "Hosted" }));
  const picker = within(await screen.findByRole("dialog", { name: "Choose a voice" }));
  await picker.findByText("Aria");
  expect(picker.getAllByRole("row")).toHaveLength(1);
  await user.click(picker.getByRole("button", { name: "Use Aria" }));
  await waitFor(() => expect(api.to("POST /profiles")[0]?.body).toMatchObject({ hosted_voice_id: "v1" }));
});
