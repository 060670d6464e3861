import type { Page } from "@playwright/test";
import type { HostedVoicePage } from "@/api/hosted";
import type { Generation, Profile, Script, ScriptRow } from "@/api/types";
import { accessible } from "./axe";
import { ask } from "./seed";
import { loseFirstAnswer, startService, type Service } from "./service";
import { expect, open, test as base } from "./studio";
import { paper, row, sounds, write } from "./words";

/** No keychain of the machine is used: neither that of a desktop session nor that of the user's bus. */
const noKeychain = { DBUS_SESSION_BUS_ADDRESS: "", XDG_RUNTIME_DIR: "", VOICEWRIGHT_PASSPHRASE: "" };

type Voices = HostedVoicePage["items"];

const test = base.extend<{ service: Service; voices: Voices }>({
  // eslint-disable-next-line no-empty-pattern
  service: async ({}, give) => {
    const service = await startService();
    await give(service);
    await service.stop();
  },
  /** The English voices of v3, in a program with the key of an account on a paid plan. */
  voices: async ({ server, service }, give) => {
    const account = await service.account("nora@example.org", "pro");
    await ask(server, "/settings", { "hosted.base_url": service.url, "secrets.allow_file": true }, "PUT");
    await ask(server, "/hosted/key", { key: await account.createKey("e2e") }, "PUT");
    const { items } = await ask<HostedVoicePage>(server, "/hosted/voices?provider=ProviderA");
    await give(items.filter(({ model, language }) => model === "providerA-v3" && language.startsWith("en")));
  },
  options: { env: noKeychain },
});

const price = (studio: Page) => studio.getByRole("status", { name: /^Price of this text: \d+ credits$/ });
const picker = (studio: Page) => studio.getByRole("dialog", { name: "Choose a voice" });

const openPicker = (studio: Page) =>
  studio
    .getByRole("region", { name: "Voice" })
    .getByRole("button", { name: /^(Change|Choose a voice)/ })
    .click();

test("a hosted voice is chosen, shows its price, has tags and speaks; offline the last list is shown", async ({
  studio,
  server,
  voices,
}) => {
  const name = voices[0]?.name ?? "";
  await write(studio, "Hello! We won!");
  await openPicker(studio);
  await picker(studio).getByRole("textbox").fill(`${name} ProviderA`);
  await picker(studio).getByText(name, { exact: true }).first().click();
  await expect(
    picker(studio)
      .getByRole("row", { name: new RegExp(`ProviderA.*credits`) })
      .first(),
  ).toBeVisible();
  await expect(
    picker(studio).getByText("Speaks with espeak-ng until a model is installed on the service."),
  ).toBeVisible();
  await accessible(studio, "picker", "[role=dialog]");
  await picker(studio)
    .getByRole("button", { name: `Use ${name}` })
    .click();

  await studio.getByRole("button", { name: "Add audio tags" }).click();
  await studio.getByRole("button", { name: /^Remove .*excited/ }).click();
  await expect(paper(studio)).toHaveText("Hello! We won!");

  await expect(price(studio)).toBeVisible();
  await studio.getByRole("button", { name: /^(Speak|Generate)/ }).click();
  await sounds(studio);
  const { items } = await ask<{ items: Generation[] }>(server, "/history");
  const credits = items[0]?.credits ?? 0;
  expect(items[0]).toMatchObject({ source: "hosted", status: "complete", text: "Hello! We won!" });
  await expect(price(studio)).toHaveText(`${String(credits)} credits`);
  await open(studio, "history");
  await expect(
    row(studio, "Hello! We won!").getByRole("img", { name: `Hosted, ${String(credits)} credits` }),
  ).toBeVisible();

  await ask(server, "/settings", { "network.offline": true }, "PUT");
  await open(studio, "studio");
  await openPicker(studio);
  await expect(picker(studio).getByText(/These are its voices from/)).toBeVisible();
  await expect(
    picker(studio)
      .getByText(/offline mode is on/)
      .last(),
  ).toBeVisible();
  await expect(picker(studio).getByRole("button", { name: `Use ${name}` })).toBeDisabled();
});

test("a hosted voice speaks although the answer of the service gets lost, and is charged once", async ({
  studio,
  server,
  service,
}) => {
  const account = await service.account("lena@example.org", "pro");
  const way = await loseFirstAnswer(service.url);
  try {
    await ask(server, "/settings", { "hosted.base_url": way.url, "secrets.allow_file": true }, "PUT");
    await ask(server, "/hosted/key", { key: await account.createKey("e2e") }, "PUT");
    const { items: voices } = await ask<HostedVoicePage>(server, "/hosted/voices?provider=ProviderC");
    const name = voices[0]?.name ?? "";
    await write(studio, "It was lost and found.");
    await openPicker(studio);
    await picker(studio).getByRole("textbox").fill(`${name} ProviderC`);
    await picker(studio).getByText(name, { exact: true }).first().click();
    await picker(studio)
      .getByRole("button", { name: `Use ${name}` })
      .click();
    await studio.getByRole("button", { name: /^(Speak|Generate)/ }).click();
    await sounds(studio);
    expect(way.calls()).toBe(2);
    const { usage } = await account.ask<{ usage: { credits: number }[] }>("GET", "/api/v1/user/usage");
    expect(usage).toHaveLength(1);
    const { items } = await ask<{ items: Generation[] }>(server, "/history");
    expect(items[0]).toMatchObject({ status: "complete", credits: usage[0]?.credits });
  } finally {
    await way.stop();
  }
});

test("a script of two v3 voices is enhanced and spoken as one dialogue", async ({ studio, server, voices }) => {
  for (const [i, speaker] of ["Anna", "Ben"].entries()) {
    const voice = { name: speaker, voice_type: "hosted", language: "en", hosted_voice_id: voices[i]?.id };
    await ask<Profile>(server, "/profiles", { ...voice, hosted_model_id: "providerA-v3" });
  }
  await open(studio, "script");
  const turn = (n: number) => studio.getByRole("textbox", { name: new RegExp(`^Turn ${String(n)},`) });
  await turn(1).evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, "Anna: Hello! We won!\nBen: Good morning. I am so sad.");
  await expect(turn(2)).toHaveValue("Good morning. I am so sad.");
  await expect(studio.getByText("One call for all turns")).toBeVisible();
  await expect(price(studio)).toBeVisible();

  await studio.getByRole("button", { name: "Add audio tags" }).click();
  await expect(turn(1)).toHaveValue("Hello! [excited] We won!");
  await turn(1).press("Control+z");
  await expect(turn(1)).toHaveValue("Hello! We won!");
  await expect(turn(2)).toHaveValue("Good morning. I am so sad.");

  await studio.getByRole("button", { name: /^Generate all/ }).click();
  await sounds(studio);
  for (const n of [1, 2])
    await expect(
      studio.getByRole("button", {
        name: new RegExp(`^(Play|Pause) the dialogue with turn ${String(n)}: Audio ready`),
      }),
    ).toBeVisible();
  const { items } = await ask<{ items: ScriptRow[] }>(server, "/scripts");
  const script = await ask<Script>(server, `/scripts/${items[0]?.id ?? ""}`);
  expect(new Set(script.turns.map(({ id }) => id)).size).toBe(1);
  expect(script.turns[0]?.dialogue?.map(({ text }) => text)).toEqual(["Hello! We won!", "Good morning. I am so sad."]);
});
