import { act, screen, waitFor } from "@testing-library/react";
import { useRef, useState, type ReactNode } from "react";
import { describe, expect, it } from "vitest";
import { renderWithProviders } from "@/test";
import { Button, Dialog, Menu, Popover, TextField, useFocusOnRemoval, useUndo } from ".";

const button = (name: string) => screen.getByRole("button", { name });
const tip = () => document.querySelector(".k-tip");

/** A dialog whose field takes the focus by itself, so that Radix does not report that it opens. */
function Naming({ children }: { children(open: () => void): ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      {children(() => setOpen(true))}
      <Dialog open={open} onOpenChange={setOpen} title="Rename">
        <TextField autoFocus label="Name" value="" onChange={() => undefined} />
      </Dialog>
    </>
  );
}

async function closeDialog(user: ReturnType<typeof renderWithProviders>["user"]) {
  await waitFor(() => expect(screen.getByRole("textbox", { name: "Name" })).toHaveFocus());
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
}

describe("a dialog whose field takes the focus", () => {
  it("returns it to its button", async () => {
    const { user } = renderWithProviders(<Naming>{(open) => <Button onClick={open}>Rename</Button>}</Naming>);
    await user.tab();
    await user.keyboard("{Enter}");
    await closeDialog(user);
    await waitFor(() => expect(button("Rename")).toHaveFocus());
  });

  it("returns it to the button of the menu that opened it", async () => {
    const { user } = renderWithProviders(
      <Naming>
        {(open) => (
          <Menu groups={[[{ label: "Rename", onSelect: open }]]}>
            <Button>More</Button>
          </Menu>
        )}
      </Naming>,
    );
    await user.tab();
    await user.keyboard("{Enter}");
    await user.keyboard("{Enter}");
    await closeDialog(user);
    await waitFor(() => expect(button("More")).toHaveFocus());
  });

  it("leaves it nowhere when a click had taken it from the button", async () => {
    const { user } = renderWithProviders(
      <Naming>
        {(open) => (
          <Button
            onClick={(event) => {
              event.currentTarget.blur();
              open();
            }}
          >
            Rename
          </Button>
        )}
      </Naming>,
    );
    await user.click(button("Rename"));
    await closeDialog(user);
    await act(() => new Promise((done) => setTimeout(done, 20)));
    expect(document.body).toHaveFocus();
  });

  it("returns it to the title of the screen when its button is gone", async () => {
    const { user } = renderWithProviders(
      <main>
        <h1 tabIndex={-1}>Screen</h1>
        <Naming>{(open) => <Once onClick={open} />}</Naming>
      </main>,
    );
    await user.tab();
    await user.keyboard("{Enter}");
    await closeDialog(user);
    await waitFor(() => expect(screen.getByRole("heading")).toHaveFocus());
  });
});

/** A button that disappears when it is pressed. */
function Once({ onClick }: { onClick(): void }) {
  const [isThere, setThere] = useState(true);
  if (!isThere) return null;
  return (
    <Button
      onClick={() => {
        onClick();
        setThere(false);
      }}
    >
      Once
    </Button>
  );
}

describe("what disappears with the focus", () => {
  function Part() {
    const box = useRef<HTMLDivElement>(null);
    const ref = useFocusOnRemoval(box);
    const [isThere, setThere] = useState(true);
    return (
      <div ref={box}>
        {isThere ? (
          <Button ref={ref} onClick={() => setThere(false)}>
            Reset
          </Button>
        ) : null}
        <Button disabled>Off</Button>
        <Button>Change</Button>
      </div>
    );
  }

  it("gives it to the next control of its box", async () => {
    const { user } = renderWithProviders(<Part />);
    await user.tab();
    await user.keyboard("{Enter}");
    expect(button("Change")).toHaveFocus();
  });

  it("gives it back from the undo bar to where it was", async () => {
    function Deleting() {
      const undo = useUndo();
      return (
        <Button onClick={() => undo({ text: "Deleted", undo: () => undefined, commit: () => undefined })}>
          Delete
        </Button>
      );
    }
    const { user } = renderWithProviders(<Deleting />);
    await user.tab();
    for (const name of ["Undo", "Close"]) {
      await user.keyboard("{Enter}");
      while (document.activeElement !== button(name)) await user.tab();
      await user.keyboard("{Enter}");
      expect(button("Delete")).toHaveFocus();
    }
  });
});

describe("while a hint is shown, the first Escape closes", () => {
  it("a popover", async () => {
    const { user } = renderWithProviders(
      <Popover.Root>
        <Popover.Trigger>Filter</Popover.Trigger>
        <Popover.Portal>
          <Popover.Content aria-label="Filters">
            <button type="button">First</button>
            <Button hint="Everything">All</Button>
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>,
    );
    await user.click(button("Filter"));
    await user.tab();
    expect(tip()).toHaveTextContent("Everything");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await waitFor(() => expect(button("Filter")).toHaveFocus());
  });

  it("a menu", async () => {
    const { user } = renderWithProviders(
      <>
        <Menu groups={[[{ label: "One", onSelect: () => undefined }]]}>
          <Button>More</Button>
        </Menu>
        <Button hint="Louder">Loud</Button>
      </>,
    );
    await user.click(button("More"));
    await user.hover(button("Loud"));
    await waitFor(() => expect(tip()).toHaveTextContent("Louder"));
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
  });
});

it("a menu opened with the pointer is a tab stop, so that one can scroll it by keys", async () => {
  const items = [
    [{ label: "More", onSelect: () => undefined, items: [[{ label: "Two", onSelect: () => undefined }]] }],
  ];
  const { user } = renderWithProviders(
    <Menu groups={items}>
      <Button>Open</Button>
    </Menu>,
  );
  await user.click(button("Open"));
  expect(screen.getByRole("menu")).toHaveAttribute("tabindex", "0");
  await user.click(screen.getByRole("menuitem", { name: "More" }));
  for (const menu of screen.getAllByRole("menu")) expect(menu).toHaveAttribute("tabindex", "0");
});
