import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { followEvents, reconnect } from "@/api/events";
import { aDraft, aProfile, fakeApi, page, renderWithProviders } from "@/test";
import Script from ".";

const connection = new AbortController();
afterEach(() => connection.abort());

const unreachable = () => {
  throw new TypeError("Failed to fetch");
};

it("takes back the error of a server that could not be reached when it is there again", async () => {
  const server = fakeApi({
    "GET /drafts": page([]),
    "POST /drafts": (call: { body: unknown }) => aDraft(call.body as object),
    "GET /profiles": page([aProfile({ name: "Heart" })]),
    "GET /models/status": { models: [] },
    "GET /history": page([]),
    "GET /events": unreachable,
    "POST /script": unreachable,
  });
  const { user, client } = renderWithProviders(<Script />, { hash: "#/script?new=away" });
  await user.type(await screen.findByRole("textbox", { name: /^Turn 1,/ }), "Hello.");
  void followEvents(client, connection.signal);
  await user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("Voicewright isn’t responding."));
  server.set("GET /events", () => new Response(new ReadableStream()));
  reconnect();
  await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
});
