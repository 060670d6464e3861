import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { aDraft, aProfile, fakeApi, page, renderWithProviders } from "@/test";
import Script from ".";

const script = (id: string, title: string) =>
  aDraft({
    id,
    name: title,
    content: {
      kind: "script",
      title,
      gapMs: 300,
      speakers: [{ id: "s1", name: "Anna", profileId: "p1", hue: 1 }],
      turns: [{ id: "t1", speakerId: "s1", text: `Words of ${title}.` }],
    },
  });

function start() {
  const drafts = [
    script("d1", "One"),
    script("d2", "Two"),
    aDraft({ id: "d3", name: "Three", content: { text: "Three" } }),
  ];
  const server = fakeApi({
    "GET /drafts": page(drafts),
    "GET /drafts/{id}": (call: { params: Record<string, string> }) => drafts.find(({ id }) => id === call.params.id),
    "PUT /drafts/{id}": (call: { body: unknown; params: Record<string, string> }) =>
      aDraft({ ...(call.body as object), id: call.params.id ?? "" }),
    "DELETE /drafts/{id}": null,
    "GET /profiles": page([aProfile({ id: "p1", name: "Heart" })]),
    "GET /models/status": { models: [] },
    "GET /system": { encoders: ["wav"] },
  });
  return { server, ...renderWithProviders(<Script />, { hash: "#/script/d1" }) };
}
const openMenu = () => screen.findByRole("button", { name: /Drafts/ });

test("the drafts of Script are those of Studio: counted, with their kind, and renamed", async () => {
  const { server, user } = start();
  await waitFor(() => expect(screen.getByText("Words of One.")).toBeInTheDocument());
  expect(await openMenu()).toHaveTextContent("Drafts3");
  await user.click(await openMenu());
  await waitFor(() => expect(screen.getByRole("button", { name: /^Three/ })).toHaveTextContent("Text · "));
  await user.click(await screen.findByRole("button", { name: "Rename Two" }));
  const field = await screen.findByRole("textbox", { name: "Name" });
  await user.clear(field);
  await user.type(field, "Zwei{Enter}");
  await waitFor(() => expect(server.to("PUT /drafts/{id}")).toHaveLength(1));
  expect(server.to("PUT /drafts/{id}")[0]).toMatchObject({
    params: { id: "d2" },
    body: { name: "Zwei", content: { title: "Zwei", turns: [{ text: "Words of Two." }] } },
  });
});

test("the open script can be deleted, and undo opens it again", async () => {
  const { server, user } = start();
  await waitFor(() => expect(screen.getByText("Words of One.")).toBeInTheDocument());
  await user.click(await openMenu());
  await user.click(await screen.findByRole("button", { name: "Delete One" }));
  await waitFor(() => expect(location.hash).toMatch(/^#\/script\?new=/));
  expect(screen.queryByText("Words of One.")).toBeNull();
  await user.click(await openMenu());
  await waitFor(() => expect(screen.getByRole("button", { name: "Delete Two" })).toBeInTheDocument());
  expect(screen.queryByRole("button", { name: "Delete One" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await waitFor(() => expect(screen.getByText("Words of One.")).toBeInTheDocument());
  expect(server.to("DELETE /drafts/{id}")).toHaveLength(0);
});
