import { renderHook, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { HostedStatus } from "@/api/hosted";
import { aHostedVoice, aProfile, hostedRoutes, page, reply } from "@/test";
import { awaitVoice, useAwaited } from ".";
import { here, open, rows } from "./testKit";

const heart = () => aProfile({ name: "Heart", preset_voice_id: "kokoro#af_heart" });

function show(voices = [aHostedVoice()], status: Partial<HostedStatus> = {}, routes = {}, place?: string) {
  const made = aProfile({ name: "Aria", voice_type: "hosted" });
  const served = { ...hostedRoutes(voices, status), "POST /profiles": made, ...routes };
  return open([heart()], [here()], undefined, served, place);
}

test("hosted voices stand beside local ones, with provider and price", async () => {
  show([aHostedVoice(), aHostedVoice({ id: "v2", name: "Bruno", provider: "ProviderB", credits_per_1000: null })]);
  await screen.findByText("Aria");
  expect(rows()[0]).toContain("Heart");
  expect(rows()[1]).toContain("ProviderA");
  expect(rows()[1]).toContain("1,890 credits");
  expect(rows()[1]).toContain("per 1,000 characters");
  expect(rows()[2]).toContain("Price unknown");
});

test("filters by place, provider and category, and forgives accents in the search", async () => {
  const { user } = show([
    aHostedVoice({ name: "Zoë" }),
    aHostedVoice({ id: "v2", name: "Bruno", provider: "ProviderB", category: "news" }),
  ]);
  await screen.findByText("Zoë");
  await user.click(screen.getByRole("checkbox", { name: "Hosted" }));
  expect(rows()).toHaveLength(2);
  await user.click(screen.getByRole("checkbox", { name: "ProviderB" }));
  expect(rows()).toHaveLength(1);
  await user.click(screen.getByRole("checkbox", { name: "ProviderB" }));
  await user.click(screen.getByRole("textbox"));
  await user.keyboard("zoe provider");
  expect(rows()).toHaveLength(1);
  expect(rows()[0]).toContain("Zoë");
});

test("choosing a hosted voice makes its profile with the model that was selected", async () => {
  const { user, api, onChoose } = show([aHostedVoice({ v3_hint: true })]);
  await user.click(await screen.findByText("Aria"));
  expect(screen.getByText(/With v3 it may sound less like itself/)).toBeVisible();
  await user.selectOptions(screen.getByRole("combobox", { name: "Model" }), "providerA-flash-v2-5");
  expect(screen.queryByText(/With v3 it may sound less like itself/)).toBeNull();
  expect(screen.queryByRole("option", { name: "2.5 Pro" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Use Aria" }));
  await waitFor(() => expect(onChoose).toHaveBeenCalledWith(expect.objectContaining({ name: "Aria" })));
  expect(api.to("POST /profiles")[0]?.body).toEqual({
    name: "Aria",
    voice_type: "hosted",
    language: "en-US",
    hosted_voice_id: "v1",
    hosted_model_id: "providerA-flash-v2-5",
  });
});

test("a hosted voice that is chosen stays when a voice that was being downloaded arrives", async () => {
  awaitVoice("text", { model: "kokoro", language: "en", inUse: undefined, before: new Set() });
  const { user, onChoose } = show([aHostedVoice()], {}, {}, "text");
  const { result: awaited } = renderHook(() => useAwaited("text"));
  await user.click(await screen.findByText("Aria"));
  await user.click(screen.getByRole("button", { name: "Use Aria" }));
  await waitFor(() => expect(onChoose).toHaveBeenCalledTimes(1));
  expect(awaited.current).toBeUndefined();
});

test("says where the service speaks with espeak-ng, also in a voice that the plan excludes", async () => {
  const note = "Speaks with espeak-ng until a model is installed on the service.";
  const { user } = show([
    aHostedVoice({ engine: "espeak-ng" }),
    aHostedVoice({ id: "v2", name: "Bruno", engine: "espeak-ng", paid: true, provider: "ProviderB" }),
    aHostedVoice({ id: "v3", name: "Cleo", engine: "kokoro" }),
    aHostedVoice({ id: "v4", name: "Dora" }),
  ]);
  for (const [name, shown] of Object.entries({ Aria: true, Bruno: true, Cleo: false, Dora: false })) {
    await user.click(await screen.findByText(name));
    await screen.findByRole("button", { name: `Use ${name}` });
    expect(screen.queryAllByText(note)).toHaveLength(shown ? 1 : 0);
  }
});

test("a taken name gets the provider", async () => {
  const names: unknown[] = [];
  const made = aProfile({ name: "Aria (ProviderA)", voice_type: "hosted" });
  const { user, onChoose } = show(undefined, undefined, {
    "POST /profiles": ({ body }: { body: { name: string } }) => {
      names.push(body.name);
      return names.length === 1 ? reply(409, { code: "name_taken", detail: "", remedy: "", params: {} }) : made;
    },
  });
  await user.dblClick(await screen.findByText("Aria"));
  await waitFor(() => expect(onChoose).toHaveBeenCalled());
  expect(names).toEqual(["Aria", "Aria (ProviderA)"]);
});

test("a voice that the plan excludes is locked with the reason, and its preview can still be played", async () => {
  const { user, onChoose } = show([aHostedVoice({ paid: true })], { plan: "free", payg_credits: 0 });
  await user.click(await screen.findByText("Aria"));
  expect(rows()[1]).toContain("Paid plan");
  expect(screen.getByRole("button", { name: "Use Aria" })).toBeDisabled();
  expect(screen.getByRole("link", { name: "Open Account" })).toHaveAttribute("href", "#/account");
  expect(screen.getByRole("button", { name: "Listen to Aria" })).not.toHaveAttribute("aria-disabled");
  await user.dblClick(screen.getByText("Aria"));
  expect(onChoose).not.toHaveBeenCalled();
});

test("the star of a hosted voice is the service's list, and its preview is the service's", async () => {
  URL.createObjectURL = () => "blob:x";
  URL.revokeObjectURL = () => undefined;
  const { user, api } = show(undefined, undefined, {
    "PUT /hosted/voices/{id}/favorite": aHostedVoice({ favorite: true }),
    "GET /hosted/voices/{id}/preview": () => new Response("ID3"),
  });
  await user.click(await screen.findByRole("button", { name: "Favourite: Aria" }));
  await waitFor(() => expect(api.to("PUT /hosted/voices/{id}/favorite")[0]?.body).toEqual({ favorite: true }));
  await user.click(screen.getByRole("button", { name: "Listen to Aria" }));
  await waitFor(() => expect(api.to("GET /hosted/voices/{id}/preview")).toHaveLength(1));
});

test("without a sign-in or key nothing is requested; an old list says so", async () => {
  const out = show([aHostedVoice()], { signed_in: false, key_prefix: "" });
  await screen.findByText("Heart");
  await waitFor(() => expect(out.api.to("GET /hosted/status")).not.toHaveLength(0));
  expect(out.api.to("GET /hosted/voices")).toHaveLength(0);
  out.unmount();
  show(
    [aHostedVoice()],
    {},
    {
      "GET /hosted/voices": { ...page([aHostedVoice()]), stale: true, fetched_at: "2026-11-20T10:00:00Z" },
    },
  );
  await waitFor(() => expect(screen.getByText(/These are its voices from Nov 20, 2026/)).toBeVisible());
});

test("offline, hosted voices say why they cannot be used", async () => {
  const { user } = show(undefined, undefined, { "GET /system": { offline: true } });
  await user.click(await screen.findByText("Aria"));
  const footer = screen.getAllByRole("status").at(-1) as HTMLElement;
  await waitFor(() => expect(within(footer).getByText(/offline mode is on/)).toBeVisible());
  expect(footer, "what changes is announced, not all keys each time").toHaveAttribute("aria-atomic", "false");
  expect(screen.getByRole("button", { name: "Use Aria" })).toBeDisabled();
});

test("shows 1,000 voices soon after they arrive, and renders only those in view", async ({ annotate }) => {
  const voices = Array.from({ length: 1000 }, (_, i) =>
    aHostedVoice({ id: `v${i}`, name: `Voice ${i}`, accent: `Accent ${i % 250}` }),
  );
  let answer: (list: unknown) => void = () => undefined;
  const { api } = show([], {}, { "GET /hosted/voices": () => new Promise((done) => (answer = done)) });
  await screen.findByText("Heart");
  await waitFor(() => expect(api.to("GET /hosted/voices")).toHaveLength(1));
  const start = performance.now();
  answer({ ...page(voices), stale: false, fetched_at: "2026-11-23T10:00:00Z" });
  await screen.findAllByText(/^[\d,]+ voices from ProviderA$|^Voice \d+$/);
  await annotate(`1,000 hosted voices shown after ${Math.round(performance.now() - start)} ms`);
  expect(rows().length).toBeLessThan(100);
});

test("a search marks the voice whose name begins with it, not one that has the word in brackets", async () => {
  const { user } = show([
    aHostedVoice({ id: "v1", name: "Chinese (Mandarin, latin as English)", language: "zh" }),
    aHostedVoice({ id: "v2", name: "English (West Midlands)", language: "en-GB" }),
  ]);
  await screen.findByText("English (West Midlands)");
  await user.click(screen.getByText("Chinese (Mandarin, latin as English)"));
  await user.click(screen.getByRole("textbox"));
  await user.keyboard("English");
  expect(rows()[0]).toContain("English (West Midlands)");
  expect(screen.getByRole("button", { name: "Use English (West Midlands)" })).toBeVisible();
});

test("the same voice of several providers is one row, the cheapest first; a choice is remembered, and makes its profile", async () => {
  localStorage.clear();
  const same = [
    aHostedVoice({ id: "a", provider: "ProviderA", credits_per_1000: 2100 }),
    aHostedVoice({ id: "b", provider: "ProviderB", credits_per_1000: null, model: "providerB-2-5-pro" }),
    aHostedVoice({ id: "c", provider: "ProviderC", credits_per_1000: 400, model: "providerC-neural2" }),
    aHostedVoice({ id: "m", provider: "ProviderC", gender: "male", credits_per_1000: 400 }),
  ];
  const first = show(same);
  await first.user.click((await screen.findAllByText("Aria"))[0] as HTMLElement);
  expect(rows()).toHaveLength(3);
  expect(rows()[1]).toMatch(/ProviderC and 2 more.*400 credits/);
  const provider = screen.getByRole("combobox", { name: "Provider" });
  expect(
    within(provider)
      .getAllByRole("option")
      .map((option) => option.textContent),
  ).toEqual([
    "ProviderC · 400 credits per 1,000 characters",
    "ProviderA · 2,100 credits per 1,000 characters",
    "ProviderB · Price unknown",
  ]);
  await first.user.selectOptions(provider, "a");
  expect(rows()[1]).toMatch(/ProviderA and 2 more.*2,100 credits/);
  await first.user.click(screen.getByRole("button", { name: "Use Aria" }));
  await waitFor(() => expect(first.api.to("POST /profiles")[0]?.body).toMatchObject({ hosted_voice_id: "a" }));
  first.unmount();

  const again = show(same);
  await again.user.click((await screen.findAllByText("Aria"))[0] as HTMLElement);
  expect(rows()[1]).toContain("ProviderA and 2 more");
  await again.user.click(screen.getByRole("checkbox", { name: "Hosted" }));
  await again.user.click(screen.getByRole("checkbox", { name: "ProviderB" }));
  expect(rows()).toHaveLength(1);
  expect(rows()[0]).toMatch(/ProviderB.*Price unknown/);
  localStorage.clear();
});

test("a provider that the plan excludes cannot be chosen, and says why", async () => {
  const { user } = show(
    [
      aHostedVoice({ id: "a", provider: "ProviderA", credits_per_1000: 100, paid: true }),
      aHostedVoice({ id: "c", provider: "ProviderC", credits_per_1000: 400 }),
    ],
    { plan: "free", payg_credits: 0 },
  );
  await user.click(await screen.findByText("Aria"));
  expect(screen.getByRole("combobox", { name: "Provider" })).toHaveValue("c");
  expect(screen.getByRole("option", { name: "ProviderA (needs a paid plan)" })).toBeDisabled();
  expect(rows()[1]).toMatch(/ProviderC and 1 more.*400 credits/);
});

test("a starred voice stays when another provider is cheaper, until that one is chosen; the star is that of the shown one", async () => {
  const { user } = show([
    aHostedVoice({ id: "a", name: "Bea", provider: "ProviderA", credits_per_1000: 2100, favorite: true }),
    aHostedVoice({ id: "c", name: "Bea", provider: "ProviderC", credits_per_1000: 400 }),
  ]);
  await user.click(await screen.findByText("Bea"));
  expect(rows().join()).toMatch(/ProviderA and 1 more.*2,100 credits/);
  expect(screen.getByRole("button", { name: "Favourite: Bea" })).toHaveAttribute("aria-pressed", "true");
  await user.selectOptions(screen.getByRole("combobox", { name: "Provider" }), "c");
  expect(rows().join()).toMatch(/ProviderC and 1 more.*400 credits/);
  expect(screen.getByRole("button", { name: "Favourite: Bea" })).toHaveAttribute("aria-pressed", "false");
});

test("two voices of one name at one provider are two rows, and count as two", async () => {
  show([aHostedVoice({ id: "a", name: "Cleo" }), aHostedVoice({ id: "b", name: "Cleo" })]);
  await waitFor(() => expect(screen.getAllByText("Cleo")).toHaveLength(2));
  expect(screen.getByRole("checkbox", { name: "Hosted" }).closest("div")).toHaveTextContent("Hosted2");
});
