import { fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { Generation, Profile } from "@/api/types";
import { player } from "@/player";
import {
  aDraft,
  aGeneration,
  aProfile,
  fakeApi,
  hostedRoutes,
  page,
  renderWithProviders,
  reply,
  type Call,
  type Handler,
} from "@/test";
import Script from ".";

const hosted = (name: string, id: string, model = "providerA-v3") =>
  aProfile({ name, voice_type: "hosted", hosted_voice_id: id, hosted_model_id: model });
const aria = hosted("Aria", "v1");
const ben = hosted("Ben", "v2");
const flash = hosted("Ben", "v2", "providerA-flash-v2-5");
const local = aProfile({ name: "Ben" });

afterEach(() => {
  player.close();
  vi.restoreAllMocks();
});

let drafts = 0;
/** Opens a script of Aria and another voice. */
async function open(voices: Profile[], routes: Record<string, Handler> = {}) {
  const api = fakeApi({
    ...hostedRoutes(),
    "GET /drafts": page([]),
    "POST /drafts": ({ body }: Call) => aDraft(body as object),
    "PUT /drafts/{id}": ({ body }: Call) => aDraft(body as object),
    "GET /profiles": page(voices),
    "GET /models/status": { models: [] },
    "GET /system": { encoders: ["wav"] },
    "POST /hosted/quote": {
      ...{ credits: 261, characters: 12, calls: 1, credits_per_1000: 1890, credits_left: 84_120 },
      ...{ warn: false, ask: true },
    },
    ...routes,
  });
  const view = renderWithProviders(<Script />, { hash: `#/script?new=hosted${String((drafts += 1))}` });
  const lines = "Aria: Hello there.\nBen: Good morning.";
  fireEvent.paste(await turn(1), { clipboardData: { getData: () => lines } });
  await turn(2);
  return { api, ...view };
}
const turn = (n: number) => screen.findByRole("textbox", { name: new RegExp(`^Turn ${String(n)},`) });
const refused = (credits: number | null) =>
  reply(409, { code: "hosted_confirm", detail: "", remedy: "", params: { credits } });
const generateAll = () => screen.getByRole("button", { name: /Generate all/ });

/** A script that the server generates as one dialogue. */
function aDialogue(part: Partial<Generation>) {
  const dialogue = [
    { profile_id: aria.id, profile_name: "Aria", voice: "v1", text: "Hello there." },
    { profile_id: ben.id, profile_name: "Ben", voice: "v2", text: "Good morning." },
  ];
  const made = aGeneration({ source: "hosted", text: "Hello there.\nGood morning.", duration: 4, dialogue, ...part });
  const script = {
    ...{ id: `01938f00-0000-7000-8000-0000000c${String((drafts += 1)).padStart(4, "0")}`, title: "", gap_ms: 300 },
    ...{
      audio_url: "",
      audio_path: "",
      duration: 4,
      sample_rate: 44100,
      created_at: "",
      updated_at: "1",
      can_undo: false,
      speakers: [],
      receipt: null,
    },
    turns: [made, made],
  };
  return {
    made,
    script,
    routes: {
      "POST /script": () => reply(202, script),
      [`GET /scripts/${script.id}`]: script,
      "GET /generate/{id}": made,
    } satisfies Record<string, Handler>,
  };
}

it("shows the price of all hosted turns, and confirms it where the server asks", async () => {
  const { api, user } = await open([aria, ben], { "POST /script": refused(261) });
  await waitFor(() => expect(screen.getByRole("status", { name: "Price of this text: 261 credits" })).toBeVisible());
  expect(api.to("POST /hosted/quote").at(-1)?.body).toMatchObject({
    turns: [
      { profile_id: aria.id, text: "Hello there." },
      { profile_id: ben.id, text: "Good morning." },
    ],
  });
  await user.click(generateAll());
  await waitFor(() => expect(screen.getByRole("dialog", { name: "Generate for 261 credits?" })).toBeVisible());
  await user.click(screen.getByRole("button", { name: "Generate" }));
  await waitFor(() => expect(api.to("POST /script")[1]?.body).toMatchObject({ accept_credits: 261 }));
});

it("confirms the price of one turn, and generates nothing after Cancel", async () => {
  const { api, user } = await open([aria, flash], { "POST /generate": refused(null) });
  await user.click(screen.getByRole("button", { name: "Generate turn 2" }));
  await waitFor(() => expect(screen.getByRole("dialog", { name: "Generate at an unknown price?" })).toBeVisible());
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(api.to("POST /generate")).toHaveLength(1);
  await user.click(screen.getByRole("button", { name: "Generate turn 2" }));
  await user.click(await screen.findByRole("button", { name: "Generate" }));
  await waitFor(() => expect(api.to("POST /generate")[2]?.body).toMatchObject({ accept_credits: 0 }));
});

it("says that all turns are one call only where all voices are v3", async () => {
  const { unmount } = await open([aria, ben]);
  expect(screen.getByText("One call for all turns")).toBeVisible();
  unmount();
  await open([aria, flash]);
  expect(screen.queryByText("One call for all turns")).toBeNull();
});

it("has no price for local voices", async () => {
  const { api } = await open([aProfile({ name: "Aria" }), local]);
  await waitFor(() => expect(api.to("POST /drafts")).toHaveLength(1)); // later than a quote
  expect(api.to("POST /hosted/quote")).toHaveLength(0);
  expect(screen.queryByRole("button", { name: "Add audio tags" })).toBeNull();
});

it("shows the state of a dialogue at each turn, and plays it from each", async () => {
  const load = vi.spyOn(player, "load").mockImplementation(() => undefined);
  const { made, routes } = aDialogue({ status: "complete" });
  const { user } = await open([aria, ben], routes);
  await user.click(generateAll());
  await waitFor(() =>
    expect(screen.getByRole("button", { name: "Play the dialogue with turn 1: Audio ready" })).toBeVisible(),
  );
  await user.click(screen.getByRole("button", { name: "Play the dialogue with turn 2: Audio ready" }));
  expect(load).toHaveBeenCalledWith(expect.objectContaining({ id: made.id }), { play: true, at: 0 });
  expect(screen.getByText(/Playing a turn plays the dialogue/)).toBeVisible();
  expect(screen.queryByRole("button", { name: /Regenerate turn/ })).toBeNull();
});

it("shows a match while the dialogue plays, and not at once the turn that is heard again", async () => {
  vi.spyOn(HTMLMediaElement.prototype, "play").mockImplementation(function (this: HTMLMediaElement) {
    this.dispatchEvent(new Event("play"));
    return Promise.resolve();
  });
  const { user } = await open([aria, ben], aDialogue({ status: "complete" }).routes);
  await user.click(generateAll());
  await user.click(await screen.findByRole("button", { name: /^Play the dialogue with turn 1/ }));
  await user.keyboard("{Control>}f{/Control}");
  const back = () => screen.queryByRole("button", { name: "Back to current passage" });
  await user.type(await screen.findByRole("textbox", { name: "Find" }), "o");
  expect(back()).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Back to current passage" }));
  expect(back()).toBeNull();
  await user.click(screen.getByRole("button", { name: "Next match" }));
  expect(back()).toBeVisible();
});

it("shows the error of a dialogue once, and retries it", async () => {
  const error = { code: "hosted_answer_lost", detail: "", remedy: "" } as const;
  const { made, routes } = aDialogue({ status: "failed", error });
  const { api, user } = await open([aria, ben], { ...routes, "POST /generate/{id}/retry": () => made });
  await user.click(generateAll());
  await user.click(await screen.findByRole("button", { name: "Try again" })); // the only one
  expect(screen.getAllByText("Failed")).toHaveLength(2);
  expect(api.to("POST /generate/{id}/retry")).toHaveLength(1);
});

it("says why hosted turns wait", async () => {
  const wait = { reason: "rate", seconds: 12 } as const;
  const { routes } = aDialogue({ status: "generating", wait });
  const { user } = await open([aria, ben], routes);
  await user.click(generateAll());
  await waitFor(() => expect(screen.getAllByText(/^Waiting 12.*: 30 requests a minute$/)).toHaveLength(3)); // button and turns
});

it("enhances only turns with a v3 voice, in one step of undo", async () => {
  const answer = { text: "[wry smile] Hello there.", original: "Hello there.", fallback: false, reason: null };
  const { api, user, container } = await open([aria, local], {
    "POST /hosted/enhance": ({ body }: Call) => ({
      turns: [{ ...answer, id: (body as { turns: { id: string }[] }).turns[0]?.id }],
      fallback: false,
    }),
  });
  await user.click(screen.getByRole("button", { name: "Add audio tags" }));
  await waitFor(async () => expect(await turn(1)).toHaveValue("[wry smile] Hello there."));
  expect(api.to("POST /hosted/enhance")[0]?.body).toMatchObject({ turns: [{ text: "Hello there.", voice: "v1" }] });
  expect(screen.getByText("Tags added to 1 turn.")).toBeVisible();
  expect(container.querySelector(".sc-chip")).toHaveTextContent("[wry smile]"); // though no local engine has it
  (await turn(1)).focus();
  await user.keyboard("{Control>}z{/Control}");
  expect(await turn(1)).toHaveValue("Hello there.");
  expect(await turn(2)).toHaveValue("Good morning.");
});

it("says which turns could not be enhanced, and why", async () => {
  const reasons = ["service", "words"];
  const { user } = await open([aria, ben], {
    "POST /hosted/enhance": ({ body }: Call) => ({
      turns: (body as { turns: { id: string; text: string }[] }).turns.map(({ id, text }, i) => ({
        ...{ id, text, original: text, fallback: true, reason: reasons[i] },
      })),
      fallback: true,
    }),
  });
  await user.click(screen.getByRole("button", { name: "Add audio tags" }));
  const said = await screen.findByText(/The service couldn’t enhance 1 turn/);
  expect(said).toHaveTextContent("The service returned other words for 1 turn, which was left as it was.");
});

it("keeps what was typed while a turn was enhanced", async () => {
  let answerNow = (): void => undefined;
  const answered = new Promise<void>((resolve) => {
    answerNow = resolve;
  });
  const { user } = await open([aria, ben], {
    "POST /hosted/enhance": async ({ body }: Call) => {
      await answered;
      const { turns } = body as { turns: { id: string; text: string }[] };
      return {
        turns: turns.map(({ id, text }) => ({
          ...{ id, text: `[calm] ${text}`, original: text, fallback: false, reason: null },
        })),
        fallback: false,
      };
    },
  });
  await user.click(screen.getByRole("button", { name: "Add audio tags" }));
  await user.type(await turn(1), " And more.");
  answerNow();
  await waitFor(async () => expect(await turn(2)).toHaveValue("[calm] Good morning."));
  expect(await turn(1)).toHaveValue("Hello there. And more.");
});
