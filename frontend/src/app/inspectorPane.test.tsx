import { act, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Inspector } from "@/lib/slots";
import { renderWithProviders } from "@/test";
import { InspectorPane } from "./InspectorPane";

it("gives the focus back to the list when its Close is pressed", async () => {
  const { user } = renderWithProviders(
    <>
      <button type="button">Row</button>
      <Inspector title="Voice">Words</Inspector>
      <InspectorPane />
    </>,
  );
  act(() => screen.getByRole("button", { name: "Row" }).focus());
  act(() => screen.getByRole("button", { name: "Close" }).focus());
  await user.keyboard("{Enter}");
  expect(screen.queryByRole("complementary", { name: "Voice" })).toBeNull();
  expect(screen.getByRole("button", { name: "Row" })).toHaveFocus();
});
