import { act, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { aDraft, aModel, aProfile, fakeApi, page, renderWithProviders, reply } from "@/test";
import { navigate, useRoute } from "@/lib/router";
import { incoming, openOn } from "@/lib/incoming";
import Script from ".";

const studio = {
  "GET /drafts": page([]),
  "GET /profiles": page([aProfile({ name: "Heart" })]),
  "GET /models/status": { models: [] },
  "GET /system": { encoders: ["wav"] },
};
const Screens = () => (useRoute().screen === "script" ? <Script /> : null);
const cue = (n: number, text: string) => `${n}\n00:00:0${n},000 --> 00:00:0${n},900\n${text}\n\n`;

it("opens subtitles with speakers as a new script of that name, and asks what is left out", async () => {
  fakeApi(studio);
  openOn("script", [
    new File([cue(1, "[Music]") + cue(2, "Anna: Who is there?") + cue(3, "Ben: Nobody.")], "Film.srt"),
  ]);
  const { user } = renderWithProviders(<Script />, { hash: location.hash });
  await waitFor(() => expect(screen.getByRole("dialog")).toHaveTextContent("[Music]"));
  await user.click(screen.getByRole("button", { name: "Insert 2 turns" }));
  await waitFor(() => expect(screen.getByRole("textbox", { name: "Turn 2, Ben" })).toHaveValue("Nobody."));
  expect(screen.getByRole("textbox", { name: "Title" })).toHaveValue("Film");
});

it("leaves subtitles without speakers to the Studio", async () => {
  fakeApi(studio);
  const file = new File([cue(1, "Who is there?"), cue(2, "Nobody.")], "Film.vtt");
  openOn("script", [file]);
  renderWithProviders(<Script />, { hash: location.hash });
  await waitFor(() => expect(location.hash).toBe("#/studio"));
  expect(incoming.get()).toEqual({ files: [file], screen: "studio" });
});

it("shows a text as a script, and leaves the stored text as it is until something is changed", async () => {
  const draft = aDraft({ id: "d1", name: "Winter", content: { text: "Anna: One.\n\nBen: Two.", named: true } });
  const server = fakeApi({
    "GET /drafts": page([draft]),
    "GET /drafts/{id}": draft,
    "PUT /drafts/{id}": (call: { body: unknown }) => aDraft({ ...(call.body as object), id: "d1" }),
    "GET /profiles": page([aProfile({ name: "Heart" })]),
    "GET /models/status": { models: [] },
    "GET /system": { encoders: ["wav"] },
  });
  const { user } = renderWithProviders(<Screens />, { hash: "#/script/d1" });
  await waitFor(() => expect(screen.getByRole("textbox", { name: "Turn 2, Ben" })).toHaveValue("Two."));
  expect(screen.getByRole("textbox", { name: "Title" })).toHaveValue("Winter");
  await user.click(screen.getByRole("radio", { name: "Text" }));
  await waitFor(() => expect(location.hash).toBe("#/studio?text=d1"));
  act(() => navigate("#/script/d1"));
  await screen.findByRole("textbox", { name: "Turn 2, Ben" });
  act(() => {
    window.dispatchEvent(new Event("pagehide"));
    window.dispatchEvent(new Event("focus"));
  });
  expect(server.to("PUT /drafts/{id}")).toHaveLength(0);

  const last = () => server.to("PUT /drafts/{id}").at(-1)?.body;
  await user.type(screen.getByRole("textbox", { name: "Turn 2, Ben" }), " Three.");
  await user.click(screen.getByRole("radio", { name: "Text" }));
  await waitFor(() => expect(location.hash).toBe("#/studio?text=d1"));
  expect(last()).toMatchObject({ content: { kind: "script", turns: [{ text: "One." }, { text: "Two. Three." }] } });
});

it("shows a script without a title under the first words of its text, and saves it so, as the Studio does", async () => {
  const draft = aDraft({ id: "d1", name: "A walk", content: { text: "# A walk\n\nIt rained.", named: false } });
  const server = fakeApi({
    "GET /drafts": page([draft]),
    "GET /drafts/{id}": draft,
    "PUT /drafts/{id}": (call: { body: unknown }) => aDraft({ ...(call.body as object), id: "d1" }),
    "POST /script": () => reply(503, { code: "internal", detail: "", remedy: "", params: {} }),
    "GET /profiles": page([aProfile({ name: "Heart" })]),
    "GET /models/status": { models: [] },
    "GET /system": { encoders: ["wav"] },
  });
  const { user } = renderWithProviders(<Script />, { hash: "#/script/d1" });
  const title = await screen.findByRole("textbox", { name: "Title" });
  expect(title).toHaveValue("");
  expect(title).toHaveAttribute("placeholder", "A walk");
  await user.type(screen.getByRole("textbox", { name: "Turn 2, Host" }), " All day.");
  await waitFor(() => expect(server.to("PUT /drafts/{id}").at(-1)?.body).toMatchObject({ name: "A walk" }));
  await user.click(screen.getByRole("button", { name: /^Generate all/ }));
  await waitFor(() => expect(server.to("POST /script").at(-1)?.body).toMatchObject({ title: "A walk" }));
});

function openText(text: string, models: object[] = []) {
  const draft = aDraft({ id: "d1", name: "Winter", content: { text, named: true } });
  const server = fakeApi({
    "GET /drafts": page([draft]),
    "GET /drafts/{id}": draft,
    "PUT /drafts/{id}": (call: { body: unknown }) => aDraft({ ...(call.body as object), id: "d1" }),
    "GET /profiles": page([aProfile({ name: "Heart", model_name: "kokoro" })]),
    "GET /models/status": { models },
    "GET /system": { encoders: ["wav"] },
  });
  return { server, ...renderWithProviders(<Script />, { hash: "#/script/d1" }) };
}

it("asks before a text whose speakers are doubtful becomes turns", async () => {
  const text = "My plan: we go.\nIt rained.\n\nThe result: nothing.";
  const { server, user } = openText(text);
  const doubtful = await screen.findByRole("list", { name: "Possibly not speakers" });
  expect(doubtful).toHaveTextContent("My plan: we go.The result: nothing.");
  expect(server.to("PUT /drafts/{id}")).toHaveLength(0);
  await user.click(screen.getByRole("button", { name: "Show as text of one speaker" }));
  await waitFor(() =>
    expect(screen.getByRole("textbox", { name: "Turn 1, Host" })).toHaveValue("My plan: we go.\nIt rained."),
  );
  expect(screen.getByRole("textbox", { name: "Turn 2, Host" })).toHaveValue("The result: nothing.");
});

it("returns to the text when the question about its speakers is cancelled", async () => {
  const { server, user } = openText("My plan: we go.\nIt rained.\n\nThe result: nothing.");
  await user.click(await screen.findByRole("button", { name: "Cancel" }));
  expect(location.hash).toBe("#/studio?text=d1");
  expect(server.to("PUT /drafts/{id}")).toHaveLength(0);
});

it("keeps the directions of a text that the voice plays, and shows the others before they are left out", async () => {
  const { user } = openText("Anna (laughs): One.\nBen (quietly): Two.", [
    aModel({ model_name: "kokoro", expressions: ["laughs"] }),
  ]);
  await waitFor(() => expect(screen.getByRole("list", { name: "Left out" })).toHaveTextContent(/^Ben: \(quietly\)$/));
  await user.click(screen.getByRole("button", { name: "Show 2 turns" }));
  await waitFor(() => expect(screen.getByRole("textbox", { name: "Turn 1, Anna" })).toHaveValue("[laughs] One."));
  expect(screen.getByRole("textbox", { name: "Turn 2, Ben" })).toHaveValue("Two.");
});

it("undoes what was changed before and while the script was shown as a text", async () => {
  const stored = {
    draft: aDraft({ id: "d1", name: "Winter", content: { text: "Anna: One.\n\nBen: Two.", named: true } }),
  };
  fakeApi({
    "GET /drafts": page([stored.draft]),
    "GET /drafts/{id}": () => stored.draft,
    "PUT /drafts/{id}": (call: { body: unknown }) => {
      stored.draft = aDraft({ ...(call.body as object), id: "d1" });
      return stored.draft;
    },
    "GET /profiles": page([aProfile({ name: "Heart" })]),
    "GET /models/status": { models: [] },
    "GET /system": { encoders: ["wav"] },
  });
  const { user } = renderWithProviders(<Screens />, { hash: "#/script/d1" });
  const ben = () => screen.findByRole("textbox", { name: "Turn 2, Ben" });
  await user.type(await ben(), " Three.");
  await user.click(screen.getByRole("radio", { name: "Text" }));
  await waitFor(() => expect(location.hash).toBe("#/studio?text=d1"));

  const source = { content: stored.draft.content, written: "Anna: One.\n\nBen: Two. Three." };
  stored.draft = { ...stored.draft, content: { text: "Anna: One.\n\nBen: Four.", named: true, source } };
  act(() => navigate("#/script/d1"));
  expect(await ben()).toHaveValue("Four.");
  await user.click(await ben());
  await user.keyboard("{Control>}z{/Control}");
  expect(await ben()).toHaveValue("Two. Three.");
  await user.keyboard("{Control>}z{/Control}");
  expect(await ben()).toHaveValue("Two.");
});
