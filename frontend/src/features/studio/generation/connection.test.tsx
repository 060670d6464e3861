import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { followEvents, reconnect } from "@/api/events";
import { page } from "@/test";
import { paper, start } from "../testKit";

const connection = new AbortController();
afterEach(() => connection.abort());

const unreachable = () => {
  throw new TypeError("Failed to fetch");
};

test("the error of a server that could not be reached goes when it is back", async () => {
  vi.spyOn(window, "requestAnimationFrame").mockReturnValue(0);
  const { api, user, client } = start({
    "GET /history": page([]),
    "GET /events": unreachable,
    "POST /generate": unreachable,
  });
  await paper();
  await screen.findByText("Built-in voice");
  void followEvents(client, connection.signal);
  await user.click(screen.getByRole("button", { name: "Generate" }));
  await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("Voicewright isn’t responding."));
  api.set("GET /events", () => new Response(new ReadableStream()));
  reconnect();
  await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
});
