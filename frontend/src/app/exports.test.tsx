import { act, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { applyExportEvent } from "@/api/exports";
import { saveAs } from "@/api/save";
import { aGeneration, fakeApi, renderWithProviders, reply } from "@/test";
import { Jobs } from "./Jobs";

test("a long export shows how far it is, and can be cancelled", async () => {
  let id = "";
  let refuse: (answer: unknown) => void = () => undefined;
  const api = fakeApi({
    "GET /history/{id}/export": (call: { query: URLSearchParams }) => {
      id = call.query.get("export_id") ?? "";
      return new Promise((resolve) => (refuse = resolve));
    },
    "DELETE /exports/{id}": () => {
      refuse(reply(499, { code: "cancelled", detail: "", remedy: "", params: {} }));
      return reply(204);
    },
  });
  const { user } = renderWithProviders(<Jobs />);
  const ended = vi.fn();
  void saveAs(aGeneration({ title: "A long book" }), { format: "m4a" }, "speech").then(ended, ended);
  await user.click(await screen.findByRole("button", { name: "1 job" }));
  await waitFor(() => expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/));
  act(() => applyExportEvent({ id, status: "exporting", progress: 0.42 }));
  act(() => applyExportEvent({ id: "of-another-window", status: "exporting", progress: 0.9 }));
  expect(screen.getByText("Exporting · 42%")).toBeVisible();
  expect(screen.getByRole("progressbar", { name: "A long book" })).toBeVisible();

  await user.click(screen.getByRole("button", { name: "Stop “A long book”" }));
  await waitFor(() => expect(ended).toHaveBeenCalledWith(undefined));
  expect(api.to("DELETE /exports/{id}")).toHaveLength(1);
  expect(screen.queryByRole("button", { name: "1 job" })).toBeNull();
});
