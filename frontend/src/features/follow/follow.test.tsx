import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useRef } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { player } from "@/player";
import { BackToPassage, useFollow } from ".";

const show = vi.fn();

function Text({ text = "a", state = "playing", passage = 0 }: Partial<Parameters<typeof useFollow>[1]>) {
  const root = useRef<HTMLDivElement>(null);
  const follow = useFollow(root, { text, state, passage, show });
  return (
    <>
      <div ref={root} data-testid="text">
        <textarea aria-label="Words" />
        <div role="search">
          <input aria-label="Find" />
          <button type="button">Next match</button>
        </div>
      </div>
      <input aria-label="Elsewhere" />
      <BackToPassage follow={follow} />
    </>
  );
}

const back = () => screen.queryByRole("button", { name: "Back to current passage" });
const words = () => screen.getByRole("textbox", { name: "Words" });
/** Presses a pointer; jsdom has no PointerEvent. */
const press = (element: Element, options: MouseEventInit) =>
  fireEvent(element, new MouseEvent("pointerdown", { bubbles: true, ...options }));

beforeEach(() => show.mockClear());

test("each passage is shown while it plays, and none while it is paused or other audio plays", () => {
  const { rerender } = render(<Text passage={0} />);
  expect(show).toHaveBeenCalledTimes(1);
  rerender(<Text passage={1} />);
  expect(show).toHaveBeenCalledTimes(2);
  for (const state of ["paused", "other"] as const) {
    rerender(<Text state={state} passage={2} />);
    fireEvent.wheel(words());
    expect(back()).toBeNull();
  }
  expect(show).toHaveBeenCalledTimes(2);
});

test.each<[string, () => void]>([
  ["scrolls with the wheel", () => fireEvent.wheel(words())],
  ["scrolls with a finger", () => fireEvent.touchMove(words())],
  ["presses a key that scrolls", () => fireEvent.keyDown(words(), { key: "PageDown" })],
  ["presses such a key outside of any field", () => fireEvent.keyDown(document.body, { key: "End" })],
  ["moves the cursor", () => fireEvent.keyDown(words(), { key: "ArrowUp" })],
  ["types", () => fireEvent(words(), new InputEvent("beforeinput", { bubbles: true }))],
  ["goes to the next match by key", () => fireEvent.keyDown(screen.getByLabelText("Find"), { key: "Enter" })],
  ["goes to the next match", () => fireEvent.click(screen.getByText("Next match"))],
  ["scrolls by the middle button", () => press(words(), { button: 1 })],
])("it stops when the person %s, and the button returns", async (_, leave) => {
  const { rerender } = render(<Text passage={0} />);
  leave();
  show.mockClear();
  rerender(<Text passage={1} />);
  expect(show).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole("button", { name: "Back to current passage" }));
  expect(show).toHaveBeenCalled();
  expect(back()).toBeNull();
});

test("it stops when a scroll bar is pressed", () => {
  render(<Text />);
  const frame = screen.getByTestId("text");
  Object.defineProperties(frame, {
    scrollHeight: { value: 900 },
    clientHeight: { value: 300 },
    clientWidth: { value: 100 },
  });
  press(frame, { clientX: 50, clientY: 10 });
  expect(back()).toBeNull();
  press(frame, { clientX: 105, clientY: 10 });
  expect(back()).not.toBeNull();
});

test("it stops when Tab goes to a control of the text, but not when a script moves the focus there", async () => {
  render(<Text />);
  act(() => words().focus());
  expect(back()).toBeNull();
  act(() => screen.getByLabelText("Find").focus());
  await userEvent.keyboard("{Shift}");
  act(() => words().focus());
  expect(back()).toBeNull();
  act(() => words().blur());
  await userEvent.tab();
  expect(words()).toHaveFocus();
  expect(back()).not.toBeNull();
});

test("the button gives the focus back to where it was", async () => {
  render(<Text />);
  act(() => screen.getByLabelText("Elsewhere").focus());
  fireEvent.wheel(words());
  await userEvent.tab();
  expect(back()).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  expect(back()).toBeNull();
  await waitFor(() => expect(screen.getByLabelText("Elsewhere")).toHaveFocus());
});

test("what happens elsewhere does not stop it", () => {
  render(<Text />);
  fireEvent.wheel(screen.getByLabelText("Elsewhere"));
  fireEvent.keyDown(screen.getByLabelText("Elsewhere"), { key: "ArrowDown" });
  fireEvent.keyDown(words(), { key: "Shift" });
  expect(back()).toBeNull();
});

test("it follows again when the person plays or seeks, and for another text, but not when the audio continues", () => {
  const { rerender } = render(<Text />);
  fireEvent.wheel(words());
  rerender(<Text passage={1} />);
  expect(back()).not.toBeNull();
  act(() => player.seek(0));
  expect(back()).toBeNull();
  fireEvent.wheel(words());
  expect(back()).not.toBeNull();
  act(() => player.toggle());
  expect(back()).toBeNull();
  fireEvent.wheel(words());
  rerender(<Text text="b" />);
  expect(back()).toBeNull();
});
