import { screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { aModel, aProfile, page, renderWithProviders, reply } from "@/test";
import { VoicePicker } from ".";
import { here, open, rows } from "./testKit";

const names = ["Heart", "Bella", "Zoë"];
const three = () =>
  names.map((name, i) => aProfile({ name, preset_voice_id: `kokoro#af_${name.toLowerCase()}`, favorite: i === 0 }));

test("finds a voice by name without accents, and by language", async () => {
  const { user } = open([...three(), aProfile({ name: "Siwis", description: "", language: "fr-FR" })], [here()]);
  await screen.findByText("Zoë");
  await user.keyboard("zoe");
  expect(rows()).toHaveLength(1);
  await user.clear(screen.getByRole("textbox"));
  await user.keyboard("FRENCH siw");
  expect(rows()[0]).toContain("Siwis");
});

test("moves by arrow keys and chooses by Enter", async () => {
  const profiles = three();
  const { user, onChoose, onClose } = open(profiles, [here()]);
  await screen.findByText("Zoë");
  await user.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}{ArrowUp}");
  expect(document.activeElement).toHaveTextContent("Bella");
  await user.keyboard("{End}{Enter}");
  expect(onChoose).toHaveBeenCalledWith(expect.objectContaining({ name: "Zoë" }));
  expect(onClose).toHaveBeenCalled();
});

test("lists a cloned voice, and says why one without a sample cannot be chosen", async () => {
  const cloned = { voice_type: "cloned", preset_engine: "", preset_voice_id: "", model_name: "pocket-en" } as const;
  const grandad = aProfile({ ...cloned, name: "Grandad", samples: 2 });
  const empty = aProfile({ ...cloned, name: "Empty", samples: 0, usable: false });
  const pocket = here({ model_name: "pocket-en", engine: "pocket", languages: ["en"], voices: 0, cloning: true });
  const { user, onChoose } = open([grandad, empty], [pocket]);
  await user.click(await screen.findByText("Empty"));
  expect(screen.getAllByText("No sample yet"), "in the row and below the list").toHaveLength(2);
  expect(screen.getByRole("button", { name: "Use Empty" })).toBeDisabled();
  await user.keyboard("{Enter}");
  expect(onChoose).not.toHaveBeenCalled();
  await user.click(screen.getByText("Grandad"));
  await user.click(screen.getByRole("button", { name: "Use Grandad" }));
  expect(onChoose).toHaveBeenCalledWith(expect.objectContaining({ id: grandad.id }));
});

test("opens on the voice in use", async () => {
  const profiles = three();
  open(profiles, [here()], profiles[2]?.id);
  await waitFor(() => expect(screen.getByRole("button", { name: "Use Zoë" })).toBeVisible());
});

test("plays the preview with the space bar, which types a space in the search", async () => {
  URL.createObjectURL = () => "blob:x";
  URL.revokeObjectURL = () => undefined;
  const { user, api } = open(three(), [here()]);
  api.set("GET /profiles/{id}/preview", () => new Response("RIFF"));
  await screen.findByText("Zoë");
  await user.keyboard("{ArrowDown} ");
  await waitFor(() => expect(api.to("GET /profiles/{id}/preview")).toHaveLength(1));
  await waitFor(() => expect(screen.getByRole("button", { name: "Stop Heart" })).toBeVisible());
  await user.click(screen.getByRole("textbox"));
  await user.keyboard("a b");
  expect(screen.getByRole("textbox")).toHaveValue("a b");
});

test("letters typed on a row go to the search", async () => {
  const { user } = open(three(), [here()]);
  await screen.findByText("Zoë");
  await user.keyboard("{ArrowDown}bel");
  expect(screen.getByRole("textbox")).toHaveValue("bel");
});

test("marks a favourite", async () => {
  const { user, api } = open(three(), [here()]);
  await user.click(await screen.findByRole("button", { name: "Favourite: Bella" }));
  await waitFor(() => expect(api.to("PUT /profiles/{id}")[0]?.body).toEqual({ favorite: true }));
});

test("says that a voice without its model cannot be heard, and asks before the download", async () => {
  const profiles = [aProfile({ name: "Heart" })];
  const { user, api, onChoose } = open(profiles, [aModel({ size_mb: 92 })]);
  await screen.findByText("Heart");
  api.set("POST /models/download", () => {
    api.set("GET /models/status", { models: [here()] });
    return { model_name: "kokoro", status: "downloading", progress_url: "" };
  });
  await user.keyboard("{ArrowDown} ");
  expect(screen.getByText("Download Heart to listen to it.", { exact: false })).toHaveTextContent(
    "Female voice · American English · Kokoro · 92 MB",
  );
  expect(screen.getByRole("button", { name: "Download Heart to listen to it" })).toHaveAttribute(
    "aria-disabled",
    "true",
  );
  expect(api.to("GET /profiles/{id}/preview")).toHaveLength(0);
  await user.keyboard("{Enter}");
  await waitFor(() => expect(screen.getByText("Heart needs Kokoro. Download 92 MB?")).toBeVisible());
  expect(onChoose).not.toHaveBeenCalled();
  await user.click(screen.getByRole("button", { name: "Download 92 MB" }));
  await waitFor(() => expect(onChoose).toHaveBeenCalled());
  expect(api.to("POST /models/download")[0]?.body).toEqual({ model_name: "kokoro" });
});

test("asks to accept the licence first where that is required", async () => {
  const license = { name: "OpenRAIL-M", url: "https://example.org", accept_required: true, accepted: false };
  const { user, api } = open([aProfile({ name: "F1" })], [aModel({ license, size_mb: 402 })]);
  await screen.findByText("F1");
  await user.keyboard("{Enter}");
  await waitFor(() => expect(screen.getByRole("button", { name: "Download 402 MB" })).toBeDisabled());
  await user.click(screen.getByRole("checkbox", { name: "I accept the licence OpenRAIL-M" }));
  api.set(
    "POST /models/download",
    reply(507, { code: "disk_full", detail: "The disk is full.", remedy: "", params: {} }),
  );
  await user.click(screen.getByRole("button", { name: "Download 402 MB" }));
  await waitFor(() => expect(screen.getByRole("alert")).toBeVisible());
  expect(api.to("POST /models/download")[0]?.body).toEqual({ model_name: "kokoro", accept_license: true });
});

test("a model with more than 20 voices is one row until it is opened", async () => {
  const many = Array.from({ length: 25 }, (_, i) => aProfile({ name: `Voice ${String(i).padStart(2, "0")}` }));
  const { user } = open(many, [here()], many[3]?.id);
  const group = await screen.findByRole("button", { name: "24 more from Kokoro" });
  expect(rows()).toHaveLength(2);
  expect(rows()[0]).toContain("Voice 03");
  await user.click(group);
  await waitFor(() => expect(screen.getByText("Voice 00")).toBeInTheDocument());
});

test("filters and counts", async () => {
  const profiles = [
    ...three(),
    aProfile({ name: "Michael", gender: "male", preset_voice_id: "kokoro#am_michael" }),
    aProfile({
      name: "Thorsten",
      gender: "",
      language: "de-DE",
      preset_engine: "piper",
      preset_voice_id: "de#0",
      model_name: "piper-de",
    }),
  ];
  const { user } = open(profiles, [here(), here({ model_name: "piper-de", engine: "piper" })]);
  await screen.findByText("Michael");
  await user.click(screen.getByRole("checkbox", { name: "Male" }));
  expect(rows()).toHaveLength(1);
  await user.click(screen.getByRole("checkbox", { name: "Male" }));
  await user.click(screen.getByRole("checkbox", { name: "German" }));
  expect(rows()[0]).toContain("Thorsten");
  await user.keyboard("{Tab}");
  await user.type(screen.getByRole("textbox"), "nobody");
  await waitFor(() => expect(screen.getByText("No matching voices")).toBeVisible());
  await user.click(
    within(screen.getByRole("dialog")).getAllByRole("button", { name: "Clear filters" })[1] as HTMLElement,
  );
  expect(rows()).toHaveLength(5);
});

test("cards show the same voices", async () => {
  const { user } = open(three(), [here()]);
  await screen.findByText("Zoë");
  await user.click(screen.getByRole("radio", { name: "Cards" }));
  expect(screen.getAllByRole("gridcell")).toHaveLength(3);
});

test("a failed download shows the reason and can be retried", async () => {
  const error = { code: "hub_rate_limited", detail: "x", remedy: "", params: {} };
  const { user, onChoose } = open([aProfile({ name: "Heart" })], [aModel({ error })]);
  await screen.findByText("Heart");
  await user.keyboard("{Enter}");
  await waitFor(() => expect(screen.getByRole("alert")).toBeVisible());
  expect(screen.getByRole("button", { name: "Try again" })).toBeEnabled();
  await user.click(screen.getByRole("button", { name: "Download on first use" }));
  expect(onChoose).toHaveBeenCalledWith(expect.objectContaining({ name: "Heart" }));
});

test("shows the progress of a download, and pauses it", async () => {
  const { user, api } = open([], [aModel({ downloading: { current: 169_000_000, total: 338_000_000 } })]);
  api.set("POST /models/{name}/pause", aModel());
  await screen.findByText("Kokoro", { selector: "span" });
  await user.keyboard("{Enter}");
  await waitFor(() => expect(screen.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "50"));
  await user.click(screen.getByRole("button", { name: "Stop" }));
  await waitFor(() => expect(api.to("POST /models/{name}/pause")).toHaveLength(1));
});

test("a list that cannot be read shows an error and is read again on request", async () => {
  const { user, api } = open([aProfile()], [here()]);
  await screen.findByText("Heart");
  api.set("GET /profiles", reply(500, { code: "internal", detail: "x", remedy: "", params: {} }));
  const again = renderWithProviders(<VoicePicker open onClose={vi.fn()} onChoose={vi.fn()} />);
  await waitFor(() => expect(screen.getByRole("alert")).toBeVisible());
  api.set("GET /profiles", page([aProfile({ name: "Nova" })]));
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(screen.getByText("Nova")).toBeVisible());
  again.unmount();
});

test("a voice of an imported model without files links to its model instead of a download", async () => {
  const { user, onChoose } = open(
    [aProfile({ name: "Heart" })],
    [aModel({ variant: "imported", repo_id: "", downloaded: false })],
  );
  await user.dblClick(await screen.findByText("Heart"));
  await waitFor(() => expect(screen.getByText(/The files of Kokoro are missing/)).toBeVisible());
  expect(screen.getByRole("link", { name: "Show model" })).toHaveAttribute("href", "#/models/kokoro");
  expect(onChoose).not.toHaveBeenCalled();
});

test("marks the row that the button chooses, and the voice in use", async () => {
  const profiles = three();
  const { user } = open(profiles, [here()], profiles[2]?.id);
  await user.click(await screen.findByText("Bella"));
  expect(screen.getByRole("row", { selected: true })).toHaveTextContent("Bella");
  expect(screen.getByRole("row", { name: /In use/ })).toHaveTextContent("Zoë");
  expect(screen.getByRole("button", { name: "Use Bella" })).toBeVisible();
});
