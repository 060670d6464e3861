import { screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { renderWithProviders } from "@/test";
import { useToast, useUndo } from "./Toasts";

const taken = vi.fn<() => void>(),
  done = vi.fn<() => void>();

function Buttons() {
  const toast = useToast(),
    undo = useUndo();
  return (
    <>
      <button onClick={() => undo({ text: "Deleted", undo: taken, commit: done })}>Delete</button>
      <button onClick={() => toast({ text: "Opened" })}>Open</button>
    </>
  );
}

it("keeps the undo bar however many other toasts appear", async () => {
  const { user } = renderWithProviders(<Buttons />);
  await user.click(screen.getByRole("button", { name: "Delete" }));
  for (let i = 0; i < 6; i += 1) await user.click(screen.getByRole("button", { name: "Open" }));
  expect(screen.getAllByText("Opened")).toHaveLength(4);
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(taken).toHaveBeenCalledOnce();
  expect(done).not.toHaveBeenCalled();
});
