import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { aDraft, aGeneration, aModel, aProfile, fakeApi, page, renderWithProviders, reply } from "@/test";
import Script from ".";

const voice = aProfile({ name: "Heart" });
let server: ReturnType<typeof fakeApi>;
beforeEach(() => {
  server = fakeApi({
    "GET /drafts": page([]),
    "POST /drafts": (call: { body: unknown }) => aDraft(call.body as object),
    "PUT /drafts/{id}": (call: { body: unknown; params: Record<string, string> }) =>
      aDraft({ ...(call.body as object), id: call.params.id ?? "" }),
    "GET /profiles": page([voice]),
    "GET /models/status": { models: [] },
    "GET /system": { encoders: ["wav"] },
  });
});
const open = () => renderWithProviders(<Script />, { hash: `#/script?new=${Math.random()}` });
const turn = (n: number) => screen.findByRole("textbox", { name: new RegExp(`^Turn ${n},`) });

it("writes a dialogue with the keyboard alone, and saves it as a draft", async () => {
  open();
  const user = userEvent.setup({ delay: null }); // without a pause, in which a busy machine would save
  await user.type(await turn(1), "Hello there.{Enter}");
  expect(await turn(2)).toHaveFocus();
  expect(await turn(2)).toHaveAccessibleName("Turn 2, Guest");
  await user.keyboard("{Tab}");
  expect(await turn(2)).toHaveAccessibleName("Turn 2, Host");
  await user.keyboard("{Backspace}");
  expect(screen.queryByRole("textbox", { name: /^Turn 2/ })).toBeNull();
  expect(await turn(1)).toHaveFocus();
  await user.keyboard("{Escape}");
  expect(screen.getByRole("button", { name: "Turn 1, spoken by Host. Change" })).toHaveFocus();
  await waitFor(() =>
    expect(server.to("POST /drafts")[0]?.body).toMatchObject({ name: "Hello there.", content: { kind: "script" } }),
  );
});

it("splits a pasted dialogue into turns", async () => {
  open();
  fireEvent.paste(await turn(1), { clipboardData: { getData: () => "Anna: Hello.\nBen: Yes." } });
  expect(await turn(1)).toHaveAccessibleName("Turn 1, Anna");
  expect(await turn(2)).toHaveValue("Yes.");
  expect(screen.getByText("2 turns pasted")).toBeInTheDocument();
});

it("shows what of a pasted script will not be spoken before it is taken", async () => {
  const { user } = open();
  const text = "The Lighthouse\nINT. ROOM - NIGHT\nBEN (laughing): Hi!\nAnna: Yes.";
  fireEvent.paste(await turn(1), { clipboardData: { getData: () => text } });
  const dialog = await screen.findByRole("dialog", { name: "Check the pasted script" });
  expect(
    within(dialog)
      .getAllByRole("listitem")
      .map((item) => item.textContent),
  ).toEqual(["INT. ROOM - NIGHT", "BEN: (laughing)"]);
  expect(document.querySelectorAll("ol textarea")).toHaveLength(1); // nothing was inserted yet
  await user.click(within(dialog).getByRole("button", { name: "Insert 2 turns" }));
  expect(await turn(1)).toHaveValue("Hi!");
  expect(await turn(1)).toHaveAccessibleName("Turn 1, BEN");
  expect(screen.getByRole("textbox", { name: "Title" })).toHaveValue("The Lighthouse");
  fireEvent.paste(await turn(2), { clipboardData: { getData: () => text } });
  await user.click(await screen.findByRole("button", { name: "Insert as text" }));
  expect(((await turn(2)) as HTMLTextAreaElement).value).toContain("BEN (laughing): Hi!");
});

it("asks of each name of a pasted script whether it is a speaker, and undo takes the paste back", async () => {
  const { user } = open();
  const text = "Anna: Hello.\nBen: Yes.\nAnna: Good.\nRemember: The keys are here.\nBen: Bye.";
  await user.type(await turn(1), "Before.");
  fireEvent.paste(await turn(1), { clipboardData: { getData: () => text } });
  const dialog = await screen.findByRole("dialog", { name: "Check the pasted script" });
  expect(within(dialog).getByText("This name appears only once. Treat it as a speaker?")).toBeVisible();
  const remember = within(dialog).getByRole("checkbox", { name: "Remember: The keys are here." });
  const ben = within(dialog).getByRole("checkbox", { name: "Ben" });
  expect(remember).not.toBeChecked();
  expect(ben).toBeChecked();
  expect(
    within(dialog)
      .getAllByText(/^2 turns · /)
      .map((line) => line.textContent),
  ).toEqual(["2 turns · Anna: Hello.", "2 turns · Ben: Yes."]);
  await user.click(remember);
  expect(within(dialog).getByRole("button", { name: "Insert 5 turns" })).toBeVisible();
  await user.click(remember);
  await user.click(ben);
  await user.click(within(dialog).getByRole("button", { name: "Insert 2 turns" }));
  expect(await turn(2)).toHaveValue("Hello. Ben: Yes.");
  expect(await turn(3)).toHaveValue("Good. Remember: The keys are here. Ben: Bye.");
  await user.keyboard("{Control>}z{/Control}");
  await waitFor(() => expect(document.querySelectorAll("ol textarea")).toHaveLength(1));
  expect(await turn(1)).toHaveValue("Before.");
});

it("takes a pasted script as text where no name is a speaker", async () => {
  const { user } = open();
  fireEvent.paste(await turn(1), { clipboardData: { getData: () => "Remember: The keys are here." } });
  const dialog = await screen.findByRole("dialog", { name: "Check the pasted script" });
  expect(within(dialog).queryByRole("button", { name: /^Insert 1 turn/ })).toBeNull();
  await user.click(within(dialog).getByRole("button", { name: "Insert as text" }));
  expect(await turn(1)).toHaveValue("Remember: The keys are here.");
});

it("keeps the stage directions that a voice plays as tags, and shows the others", async () => {
  const model = aModel({ model_name: voice.model_name ?? "", expressions: ["laugh", "laughing"] });
  server.set("GET /models/status", { models: [model] });
  const { user } = open();
  await turn(1);
  await waitFor(() => expect(server.to("GET /models/status")).not.toHaveLength(0));
  fireEvent.paste(await turn(1), {
    clipboardData: { getData: () => "BEN (Laughing): Hi!\nBEN (to Anna): Yes." },
  });
  const dialog = await screen.findByRole("dialog", { name: "Check the pasted script" });
  expect(within(dialog).getByRole("listitem")).toHaveTextContent("BEN: (to Anna)");
  await user.click(within(dialog).getByRole("button", { name: "Insert 2 turns" }));
  expect(await turn(1)).toHaveValue("[Laughing] Hi!");
  expect(await turn(2)).toHaveValue("Yes.");
});

it("generates all turns, shows what failed and retries it", async () => {
  const made = [
    aGeneration({ text: "Hello.", status: "complete" }),
    aGeneration({ text: "Yes.", status: "failed", error: { code: "engine_failed", detail: "", remedy: "" } }),
  ];
  const script = {
    id: "01938f00-0000-7000-8000-00000000000a",
    title: "",
    gap_ms: 300,
    audio_url: "",
    audio_path: "",
    duration: 0,
    sample_rate: 0,
    created_at: "",
    updated_at: "",
    can_undo: false,
    speakers: [],
    receipt: null,
    turns: made,
  };
  server.set("POST /script", () => reply(202, script));
  server.set("GET /scripts/{id}", script);
  server.set("POST /generate/{id}/retry", () => made[1]);
  const { user } = open();
  fireEvent.paste(await turn(1), { clipboardData: { getData: () => "Anna: Hello.\nBen: Yes." } });
  await turn(2);
  await user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() =>
    expect(server.to("POST /script")[0]?.body).toEqual({
      turns: [
        { profile_id: voice.id, text: "Hello.", speaker: "Anna" },
        { profile_id: voice.id, text: "Yes.", speaker: "Ben" },
      ],
      gap_ms: 300,
      title: "Anna: Hello.",
    }),
  );
  expect(server.to("POST /script")[0]?.headers.get("Prefer")).toBe("respond-async");
  await waitFor(() => expect(screen.getByRole("button", { name: /^Play turn 1/ })).toBeVisible());
  expect(screen.getByText("The engine couldn’t generate speech for this text.")).toBeVisible();
  await user.click(within(screen.getByRole("alert")).getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(server.to("POST /generate/{id}/retry")[0]?.params.id).toBe(made[1]?.id));
});

it("speaks a turn with a cloned voice", async () => {
  const cloned = aProfile({
    name: "Grandad",
    voice_type: "cloned",
    samples: 1,
    preset_engine: "",
    preset_voice_id: "",
  });
  server.set("GET /profiles", page([aProfile({ name: "Heart", usable: false }), cloned]));
  server.set("POST /script", () => reply(500, { code: "internal", detail: "", remedy: "", params: {} }));
  const { user } = open();
  fireEvent.paste(await turn(1), { clipboardData: { getData: () => "Grandad: Hello.\nAnna: Yes." } });
  await turn(2);
  await user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() =>
    expect(server.to("POST /script")[0]?.body).toMatchObject({
      turns: [
        { profile_id: cloned.id, text: "Hello." },
        { profile_id: cloned.id, text: "Yes." },
      ],
    }),
  );
});

it("leaves the turns with Escape and Tab, and Escape returns to the text", async () => {
  const { user } = open();
  await waitFor(async () => expect(await turn(1)).toHaveFocus()); // a new script is ready to type in
  await user.keyboard("Hello.{Enter}Yes.{Escape}");
  await user.tab();
  expect(screen.getByRole("button", { name: "Generate turn 2" })).toHaveFocus();
  await user.tab();
  expect(screen.getByRole("button", { name: "More for turn 2" })).toHaveFocus();
  await user.tab();
  expect(document.activeElement).not.toBeInstanceOf(HTMLTextAreaElement);
  screen.getByRole("button", { name: "Turn 1, spoken by Host. Change" }).focus();
  await user.keyboard("{Escape}");
  expect(await turn(1)).toHaveFocus();
});

it("shows how much of a long dialogue did not fit", async () => {
  open();
  const lines = Array.from({ length: 230 }, (_, i) => `${i % 2 ? "Anna" : "Ben"}: Line ${i}.`).join("\n");
  fireEvent.paste(await turn(1), { clipboardData: { getData: () => lines } });
  await waitFor(() => expect(screen.getByText(/30 turns didn’t fit and were left out/)).toBeInTheDocument());
  expect(screen.getByText("200 turns pasted")).toBeInTheDocument();
  expect(document.querySelectorAll("ol textarea")).toHaveLength(200); // a query by role takes seconds
}, 60_000); // 200 text fields

it("shows how much of a long text did not fit into a turn", async () => {
  open();
  fireEvent.paste(await turn(1), { clipboardData: { getData: () => "word ".repeat(50_000) } });
  await waitFor(() =>
    expect(
      screen.getByText("A script can have up to 200,000 characters. 50,000 didn’t fit and were left out."),
    ).toBeInTheDocument(),
  );
  expect(((await turn(1)) as HTMLTextAreaElement).value).toHaveLength(200_000);
});

const kept = (texts: string[], part: object = {}) =>
  aDraft({
    id: "01938f00-0000-7000-8000-00000000d001",
    name: "Kept",
    content: {
      kind: "script",
      title: "Kept",
      gapMs: 300,
      speakers: [{ id: "a", name: "Ida", profileId: voice.id, hue: 3 }],
      turns: texts.map((text, i) => ({ id: `t${i}`, speakerId: "a", text })),
      ...part,
    },
  });

it("keeps both texts when another window changed the script, and opens the other one", async () => {
  const draft = kept(["I was here."]);
  const other = { ...kept(["They were here."]), updated_at: "2026-11-20T10:00:09Z" };
  server.set("GET /drafts/{id}", draft);
  const { user } = renderWithProviders(<Script />, { hash: `#/script/${draft.id}` });
  await user.type(await turn(1), " And wrote.");
  server.set("GET /drafts/{id}", other);
  server.set("PUT /drafts/{id}", (call: { params: Record<string, string>; body: object }) =>
    call.params.id === draft.id
      ? reply(409, {
          code: "draft_changed",
          detail: "",
          remedy: "",
          params: { name: "Kept", updated_at: other.updated_at },
        })
      : aDraft({ ...call.body, id: call.params.id ?? "" }),
  );
  await waitFor(() =>
    expect(
      screen.getByText("“Kept” was changed in another window. Your version was saved as “Kept (copy)”."),
    ).toBeInTheDocument(),
  );
  expect(server.to("PUT /drafts/{id}")[0]?.body).toMatchObject({ if_updated_at: draft.updated_at });
  expect(server.to("POST /drafts")[0]?.body).toMatchObject({
    name: "Kept (copy)",
    content: { turns: [{ text: "I was here. And wrote." }] },
  });
  expect(screen.getByRole("textbox", { name: "Title" })).toHaveValue("Kept (copy)");
  await user.click(screen.getByRole("button", { name: "Open “Kept”" }));
  await waitFor(async () => expect(await turn(1)).toHaveValue("They were here."));
});

it("shows what another window saved when it gets the focus back, and saves nothing itself", async () => {
  const draft = kept(["I was here."]);
  server.set("GET /drafts/{id}", draft);
  renderWithProviders(<Script />, { hash: `#/script/${draft.id}` });
  expect(await turn(1)).toHaveValue("I was here.");
  server.set("GET /drafts/{id}", { ...kept(["They were here."]), updated_at: "2026-11-20T10:00:09Z" });
  fireEvent.focus(window);
  await waitFor(async () => expect(await turn(1)).toHaveValue("They were here."));
  expect(server.to("PUT /drafts/{id}")).toHaveLength(0);
});

it("detects that the file was joined in another window", async () => {
  const made = aGeneration({ text: "Hello.", status: "complete" });
  const script = {
    id: "01938f00-0000-7000-8000-00000000000b",
    title: "",
    gap_ms: 300,
    audio_url: "/audio/x",
    audio_path: "x",
    duration: 1,
    sample_rate: 24000,
    created_at: "",
    updated_at: "2",
    can_undo: false,
    speakers: [],
    receipt: null,
    turns: [made],
  };
  const spoken = { generationId: made.id, text: "Hello.", profileId: voice.id };
  const turns = [{ id: "t0", speakerId: "a", text: "Hello.", spoken }];
  const draft = kept([], { turns, scriptId: script.id, joined: { takes: "an older take", at: "2" } });
  server.set("GET /drafts/{id}", draft);
  server.set("GET /scripts/{id}", script);
  const { client } = renderWithProviders(<Script />, { hash: `#/script/${draft.id}` });
  await waitFor(() => expect(screen.getByRole("button", { name: "Join again" })).toBeInTheDocument());
  server.set("GET /scripts/{id}", { ...script, updated_at: "3" });
  await client.invalidateQueries({ queryKey: ["scripts"] }); // as the server's event does
  await waitFor(() => expect(screen.queryByRole("button", { name: "Join again" })).toBeNull());
});

it("does not generate an empty script", async () => {
  const { user } = open();
  await turn(1);
  await user.click(screen.getByRole("button", { name: "Generate all" }));
  expect(server.to("POST /script")).toHaveLength(0);
});

it("opens the saved script", async () => {
  const draft = aDraft({
    name: "Kept",
    content: {
      kind: "script",
      title: "Kept",
      gapMs: 300,
      speakers: [{ id: "a", name: "Ida", profileId: voice.id, hue: 3 }],
      turns: [{ id: "t", speakerId: "a", text: "I was here." }],
    },
  });
  server.set("GET /drafts", page([draft]));
  server.set("GET /drafts/{id}", draft);
  renderWithProviders(<Script />, { hash: `#/script/${draft.id}` });
  expect(await turn(1)).toHaveValue("I was here.");
  expect(await turn(1)).toHaveAccessibleName("Turn 1, Ida");
});
