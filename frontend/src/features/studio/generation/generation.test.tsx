import { act, fireEvent, screen, waitFor } from "@testing-library/react";
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
const builtIn: Profile = { ...aProfile({ name: "Built-in voice" }), voice_type: "default" };
delete builtIn.model_name;
const heart = aProfile({ name: "Heart" });
const winter = aDraft({ id: "d1", name: "Winter", content: { text: "The lamp", named: true } });
const ferry = aDraft({ id: "d2", name: "Ferry", content: { text: "The ferry", named: true, profile_id: builtIn.id } });
const running = aGeneration({
  id: "g1",
  status: "generating",
  chunks: [],
  chunks_done: 2,
  chunks_total: 7,
  progress: 0.3,
  audio_url: "",
});

/** A response that arrives when the test releases it. */
function held() {
  let give: (answer: unknown) => void = () => undefined;
  const answer = new Promise((done) => {
    give = done;
  });
  return {
    answer,
    give: (body: unknown) =>
      act(async () => {
        give(body);
        await answer;
      }),
  };
}

function start(routes: Record<string, Handler> = {}, drafts = [winter, ferry]) {
  const api = fakeApi({
    "GET /profiles": page([builtIn]),
    "GET /profiles/{id}": ({ params }: Call) =>
      [builtIn, heart].find(({ id }) => id === params.id) ?? reply(404, problem("profile_not_found")),
    "GET /drafts": page(drafts),
    "GET /drafts/{id}": ({ params }: Call) =>
      drafts.find(({ id }) => id === params.id) ?? reply(404, problem("draft_not_found")),
    "POST /drafts": ({ body }: Call) => aDraft({ ...(body as object), id: "new" }),
    "PUT /drafts/{id}": ({ body, params }: Call) => aDraft({ ...(body as object), id: params.id ?? "" }),
    "GET /models/status": { models: [] },
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
const paper = () => screen.findByRole("textbox", { name: "Text" });
const finish = () => act(() => new Promise((done) => setTimeout(done, 100)));
async function openFerry(user: ReturnType<typeof start>["user"]) {
  await user.click(screen.getByRole("button", { name: /Drafts/ }));
  await user.click(await screen.findByText("Ferry"));
  await waitFor(async () => expect(await paper()).toHaveValue("The ferry"));
}

beforeEach(() => {
  vi.spyOn(window, "requestAnimationFrame").mockReturnValue(0);
  vi.spyOn(player, "load").mockImplementation(() => undefined);
});

test("a generation requested while its running one was unknown does not start again after Stop", async () => {
  const [voices, made] = [held(), held()];
  let now: unknown = made.answer;
  const { api, user } = start(
    {
      "GET /profiles": () => voices.answer,
      "GET /generate/{id}": () => now,
      "POST /generate": reply(202, running),
      "POST /generate/{id}/stop": () => {
        now = { ...running, status: "cancelled" };
        return now;
      },
    },
    [{ ...winter, content: { ...winter.content, generation_id: "g1" } }],
  );
  await paper();
  await user.keyboard("{Control>}{Enter}{/Control}");
  await voices.give(page([builtIn]));
  await screen.findByText("Built-in voice");
  expect(api.to("POST /generate")).toHaveLength(0); // it may be running already
  await made.give(running);
  await user.click(await screen.findByRole("button", { name: "Stop" }));
  await waitFor(() => expect(screen.getByRole("button", { name: "Generate" })).toBeInTheDocument());
  await finish();
  expect(api.to("POST /generate")).toHaveLength(0);
});

test("a generation requested before the voice was known starts once, and only while its page is open", async () => {
  const first = held();
  const { api, user, unmount } = start({
    "GET /profiles": () => first.answer,
    "POST /generate": reply(202, running),
    "GET /generate/{id}": running,
  });
  await paper();
  await user.keyboard("{Control>}{Enter}{/Control}");
  await first.give(page([builtIn]));
  await waitFor(() => expect(api.to("POST /generate")).toHaveLength(1));
  unmount();
  const second = held();
  const other = start({
    "GET /profiles": () => second.answer,
    "POST /generate": reply(202, running),
    "GET /profiles/{id}": () => second.answer,
  });
  await waitFor(async () => expect(await paper()).toHaveValue("The lamp"));
  await other.user.keyboard("{Control>}{Enter}{/Control}");
  await openFerry(other.user);
  other.api.set("GET /profiles/{id}", builtIn);
  await second.give(builtIn);
  await screen.findByText("Built-in voice");
  await finish();
  expect(other.api.to("POST /generate")).toHaveLength(0);
});

test("a generation is requested once, however quickly the keys are pressed", async () => {
  const answer = held();
  const { api } = start({ "POST /generate": () => answer.answer, "GET /generate/{id}": running });
  await screen.findByText("Built-in voice");
  const press = () => fireEvent.keyDown(document.body, { key: "Enter", code: "Enter", ctrlKey: true });
  act(() => {
    press();
    press(); // before anything is rendered
  });
  await waitFor(() => expect(api.to("POST /generate")).toHaveLength(1));
  press();
  await answer.give(reply(503, problem("queue_full")));
  await screen.findByRole("alert");
  expect(api.to("POST /generate")).toHaveLength(1);
  press(); // the error has come
  await waitFor(() => expect(api.to("POST /generate")).toHaveLength(2));
});

test("if no voice is found the picker opens, and a later choice does not generate", async () => {
  const voices = held();
  const { api, user } = start({ "GET /profiles": () => voices.answer, "POST /generate": reply(202, running) });
  await paper();
  await user.keyboard("{Control>}{Enter}{/Control}");
  await voices.give(page([]));
  await waitFor(() => expect(screen.getByRole("dialog")).toBeInTheDocument());
  await user.keyboard("{Escape}");
  act(() => {
    location.hash = `#/studio?voice=${builtIn.id}`;
  });
  await screen.findByText("Built-in voice");
  await finish();
  expect(api.to("POST /generate")).toHaveLength(0);
});

test("the result of one page is not written to the page that is open when the response arrives", async () => {
  const answer = held();
  const { api, user } = start({ "POST /generate": () => answer.answer, "GET /generate/{id}": running });
  await screen.findByText("Built-in voice");
  await user.click(screen.getByRole("button", { name: /Speak|Generate/ }));
  await waitFor(() => expect(api.to("POST /generate")).toHaveLength(1));
  await openFerry(user);
  await answer.give(reply(202, running));
  await act(() => new Promise((done) => setTimeout(done, 1000))); // longer than the pause before saving
  expect(screen.getByRole("button", { name: "Generate" })).toBeInTheDocument();
  expect(
    api.to("PUT /drafts/{id}").filter(({ params, body }) => params.id === "d2" && JSON.stringify(body).includes("g1")),
  ).toHaveLength(0);
});

test("a confirmation for one page closes when another one is opened", async () => {
  const book = held();
  const { api, user } = start(
    {
      "GET /models/status": { models: [aModel({ size_mb: 25 })] },
      "POST /text/extract": () => book.answer,
      "POST /generate": reply(202, running),
    },
    [{ ...winter, content: { ...winter.content, profile_id: heart.id } }],
  );
  await screen.findByText("Heart");
  await user.upload(screen.getByLabelText("Open a file", { selector: "input" }), new File(["x"], "book.txt"));
  await user.click(screen.getByRole("button", { name: /Speak|Generate/ }));
  await waitFor(() => expect(screen.getByRole("dialog")).toBeInTheDocument());
  await book.give({
    text: "From a book",
    title: "A book",
    has_title: true,
    format: "txt",
    encoding: "UTF-8",
    notes: [],
  });
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(await paper()).toHaveValue("From a book");
  expect(api.to("POST /generate")).toHaveLength(0);
});

test("the error of a failed download is not shown for a later error", async () => {
  const failures = ["model_corrupt", "out_of_memory"].map((code, i) =>
    aGeneration({ id: `f${i}`, status: "failed", error: { code, detail: `about ${code}`, remedy: "" } }),
  );
  const left = [...failures];
  const { user } = start(
    {
      "GET /models/status": { models: [aModel({ downloaded: true, size_mb: 25 })] },
      "POST /models/download": reply(503, problem("hub_unreachable")),
      "POST /generate": () => left.shift(),
      "GET /generate/{id}": ({ params }: Call) => failures.find(({ id }) => id === params.id),
    },
    [{ ...winter, content: { ...winter.content, profile_id: heart.id } }],
  );
  await screen.findByText("Heart");
  await user.click(screen.getByRole("button", { name: /Speak|Generate/ }));
  const first = (await screen.findByRole("alert")).textContent;
  await user.click(screen.getByRole("button", { name: "Download 25 MB again" }));
  await waitFor(() => expect(screen.getByRole("alert").textContent).not.toBe(first));
  const offline = screen.getByRole("alert").textContent ?? "";
  await user.click(screen.getByRole("button", { name: "Generate" }));
  await waitFor(() => expect(screen.getByRole("button", { name: "Open Models" })).toBeInTheDocument());
  expect(screen.getByRole("alert")).toHaveTextContent(/of memory/);
  expect(screen.getByRole("alert")).not.toHaveTextContent(offline.slice(0, 20));
});
