import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { reply } from "@/test";
import { absent, directory, ready, show } from "./testKit";

describe("paths on this machine", () => {
  it("moves the folder, and the dialog shows an error before it closes", async () => {
    const refusals: Record<string, unknown> = {
      "/mnt/full": reply(422, {
        detail: [{ loc: ["body", "path"], msg: "The new folder is not empty", type: "path_not_empty" }],
      }),
      "/root": reply(403, { code: "not_permitted", detail: "x", remedy: "y", params: {} }),
      "/mnt/small": reply(507, {
        code: "insufficient_disk",
        detail: "x",
        remedy: "y",
        params: { needed: 338e6, free: 2e6 },
      }),
    };
    const { user, api } = show([ready()], "#/models", {
      "PUT /models/directory": ({ body }: { body: { path: string } }) => refusals[body.path] ?? directory,
    });
    await user.click(await screen.findByRole("button", { name: "Move" }));
    const field = screen.getByLabelText("New folder");
    const move = async (path: string) => {
      await user.clear(field);
      await user.type(field, path);
      await user.click(screen.getByRole("button", { name: "Move 338 MB" }));
    };
    await move("big/models");
    expect(screen.getByRole("alert")).toHaveTextContent("Enter the full path");
    expect(api.to("PUT /models/directory")).toHaveLength(0);
    for (const [path, words] of [
      ["/mnt/full", /This folder isn’t empty/],
      ["/root", /doesn’t have permission to write there/],
      ["/mnt/small", /needs 338 MB, 2 MB free/],
    ] as const) {
      await move(path);
      await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent(words));
      expect(screen.getByRole("dialog")).toBeVisible();
    }
    await move("/mnt/big");
    await waitFor(() => expect(screen.getByText("The models are now in /mnt/big.")).toBeVisible());
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(api.to("PUT /models/directory").at(-1)?.body).toEqual({ path: "/mnt/big" });
  });

  it("uses the models that are already in a folder", async () => {
    const { user, api } = show([ready()], "#/models", {
      "PUT /models/directory": ({ body }: { body: { adopt?: boolean } }) =>
        body.adopt
          ? { ...directory, path: "/mnt/hub" }
          : reply(422, {
              detail: [{ loc: ["body", "path"], msg: "x", type: "path_not_empty", ctx: { adopt: true } }],
            }),
    });
    await user.click(await screen.findByRole("button", { name: "Move" }));
    await user.type(screen.getByLabelText("New folder"), "/mnt/hub");
    expect(screen.queryByRole("button", { name: /already in/ })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Move 338 MB" }));
    await user.click(await screen.findByRole("button", { name: "Use the models that are already in /mnt/hub" }));
    await waitFor(() => expect(screen.getByText("Voicewright now uses the models in /mnt/hub.")).toBeVisible());
    expect(api.to("PUT /models/directory").at(-1)?.body).toEqual({ path: "/mnt/hub", adopt: true });
  });

  it("leaves another dialog open when a background move ends", async () => {
    let end = (answer: unknown): void => void answer;
    const { user } = show([ready()], "#/models", {
      "PUT /models/directory": () =>
        new Promise((resolve) => {
          end = resolve;
        }),
    });
    await user.click(await screen.findByRole("button", { name: "Move" }));
    await user.type(screen.getByLabelText("New folder"), "/mnt/big");
    await user.click(screen.getByRole("button", { name: "Move 338 MB" }));
    await user.click(await screen.findByRole("button", { name: "Continue in the background" }));
    await user.click(screen.getByRole("button", { name: "Import from disk" }));
    await user.type(screen.getByLabelText("Path"), "/usb/voice.onnx");
    end(directory);
    await waitFor(() => expect(screen.getByText("The models are now in /mnt/big.")).toBeVisible());
    expect(screen.getByLabelText("Path")).toHaveValue("/usb/voice.onnx");
  });

  it("names the file that is not a model, and says what is expected", async () => {
    const refusal = reply(422, {
      code: "model_corrupt",
      detail: "No known model was found.",
      remedy: "x",
      params: { path: "/home/me/cat.png" },
    });
    const { user } = show([ready()], "#/models", { "POST /models/import": refusal });
    await user.click(await screen.findByRole("button", { name: "Import from disk" }));
    const dialog = await screen.findByRole("dialog");
    await user.type(within(dialog).getByLabelText("Path"), "cat.png{Enter}");
    expect(within(dialog).getByRole("alert")).toHaveTextContent("Enter the full path");
    await user.clear(within(dialog).getByLabelText("Path"));
    await user.type(within(dialog).getByLabelText("Path"), "/home/me/cat.png{Enter}");
    await waitFor(() =>
      expect(within(dialog).getByRole("alert")).toHaveTextContent(/cat\.png isn’t a supported model.*NAME\.onnx\.json/),
    );
  });

  it.each([
    ["pointer", /voice\.onnx is a Git LFS pointer.*Fetch the file itself/],
    ["web_page", /voice\.onnx is a saved web page.*download link/],
    ["missing", /voice\.onnx is missing.*same folder/],
  ])("says what a file is that is no model: %s", async (reason, words) => {
    const params = { file: "voice.onnx", reason };
    const refusal = reply(409, { code: "model_corrupt", detail: "x", remedy: "y", params });
    const { user } = show([ready()], "#/models", { "POST /models/import": refusal });
    await user.click(await screen.findByRole("button", { name: "Import from disk" }));
    const dialog = await screen.findByRole("dialog");
    await user.type(within(dialog).getByLabelText("Path"), "/home/me/voice{Enter}");
    await waitFor(() => expect(within(dialog).getByRole("alert")).toHaveTextContent(words));
  });

  it("asks the system for a file in the desktop window, and imports a model from it", async () => {
    const bridge = {
      Address: () => Promise.resolve({ url: "", token: "" }),
      ChooseFiles: () => Promise.resolve(["/usb/voice.json", "/usb/voice.onnx"]),
    };
    window.go = { desktop: { Bridge: bridge } };
    const { user, api } = show([absent()], "#/models?tab=more", { "POST /models/{name}/import": ready() });
    await user.click(await screen.findByRole("button", { name: "More for Kokoro" }));
    await user.click(await screen.findByRole("menuitem", { name: "Import files from disk" }));
    await user.click(await screen.findByRole("button", { name: "Choose" }));
    await waitFor(() => expect(screen.getByLabelText("Path")).toHaveValue("/usb/voice.onnx"));
    await user.click(screen.getByRole("button", { name: "Import" }));
    await waitFor(() => expect(api.to("POST /models/{name}/import")[0]?.body).toEqual({ path: "/usb/voice.onnx" }));
    delete window.go;
  });
});

it("an imported model whose files are missing is imported again under its name", async () => {
  // As after a restart.
  const mine = absent({ model_name: "mine", display_name: "Mine", variant: "imported", repo_id: "" });
  const { api, user } = show([mine], "#/models", {
    "DELETE /models/{name}": reply(404, { code: "model_unknown", detail: "", remedy: "", params: {} }),
    "POST /models/import": ready({ model_name: "mine" }),
  });
  await user.click(await screen.findByRole("button", { name: "Import again: Mine" }));
  const dialog = await screen.findByRole("dialog", { name: "Import mine again" });
  await user.type(within(dialog).getByLabelText("Path"), "/usb/voice.onnx{Enter}");
  await waitFor(() =>
    expect(api.to("POST /models/import")[0]?.body).toEqual({ path: "/usb/voice.onnx", name: "mine" }),
  );
  expect(api.to("DELETE /models/{name}")[0]?.params.name).toBe("mine");
});
