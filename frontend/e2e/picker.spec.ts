import type { Profile } from "@/api/types";
import { ask } from "./seed";
import { expect, test } from "./studio";

test("without a network a second built-in voice is chosen at once, and nothing is offered for download", async ({
  studio,
  server,
}) => {
  await ask(server, "/settings", { "network.offline": true }, "PUT");
  await studio.reload();
  await studio
    .getByRole("region", { name: "Voice" })
    .getByRole("button", { name: /^(Change|Choose a voice)/ })
    .click();
  const picker = studio.getByRole("dialog", { name: "Choose a voice" });
  await expect(picker.getByText(/Downloads are off because offline mode is on/)).toBeVisible();
  await expect(picker.getByText("More voices to download")).toHaveCount(0);
  await picker.getByRole("textbox").fill("American English, female 3");
  await picker.getByRole("button", { name: "Use American English, female 3" }).click();
  await expect(picker).toBeHidden();
  const { items } = await ask<{ items: Profile[] }>(server, "/profiles?search=female");
  expect(items).toMatchObject([{ preset_engine: "espeak", preset_voice_id: "en-us+f3", usable: true }]);
});
