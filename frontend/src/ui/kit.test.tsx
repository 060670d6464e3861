import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { X } from "lucide-react";
import { useState, type ReactNode } from "react";
import { describe, expect, it, vi } from "vitest";
import { renderWithProviders } from "@/test";
import { Button, Dialog, FloatContainer, IconButton, Menu, Sheet, TextField, VirtualList } from ".";

const tip = () => document.querySelector(".k-tip");

function Asking({ children, footer }: { children?: ReactNode; footer?: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Ask</Button>
      <Dialog open={open} onOpenChange={setOpen} title="Question" footer={footer}>
        {children}
      </Dialog>
    </>
  );
}

async function ask(element: ReactNode) {
  const view = renderWithProviders(<>{element}</>);
  await view.user.click(screen.getByRole("button", { name: "Ask" }));
  await screen.findByRole("dialog");
  return view;
}

describe("a tooltip", () => {
  it("opens when Tab reaches its control, and not when a script focuses it", async () => {
    const { user } = renderWithProviders(<IconButton label="Shut" icon={<X />} />);
    act(() => screen.getByRole("button").focus());
    expect(tip()).toBeNull();
    act(() => screen.getByRole("button").blur());
    await user.tab();
    expect(screen.getByRole("button")).toHaveFocus();
    expect(tip()).toHaveTextContent("Shut");
  });

  it("is announced with its control and is not separate text on the page", async () => {
    const { user } = renderWithProviders(<Button hint="Makes it louder">Louder</Button>);
    await user.tab();
    expect(screen.getByRole("button", { name: "Louder" })).toHaveAccessibleDescription("Makes it louder");
    expect(screen.queryByRole("tooltip")).toBeNull();
  });
});

describe("a dialog", () => {
  it("opens no tooltip by itself and closes at the first Esc", async () => {
    const { user } = await ask(<Asking>Only words</Asking>);
    expect(tip()).toBeNull();
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(tip()).toBeNull(); // the focus is back on its button, but not by the Tab key
  });

  it("returns the focus when it closes, unless something else has taken it", async () => {
    const { user } = await ask(
      <>
        <Asking>Only words</Asking>
        <input aria-label="Page" />
      </>,
    );
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.getByRole("button", { name: "Ask" })).toHaveFocus());
    await user.click(screen.getByRole("button", { name: "Ask" }));
    await user.keyboard("{Escape}");
    act(() => screen.getByRole("textbox", { name: "Page" }).focus());
    await act(() => new Promise((done) => setTimeout(done, 20)));
    expect(screen.getByRole("textbox", { name: "Page" })).toHaveFocus();
  });

  it("closes at the first Esc while a button's tooltip is open", async () => {
    const { user } = await ask(<Asking>Only words</Asking>);
    await user.tab();
    expect(tip()).toHaveTextContent("Close");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("focuses its input", async () => {
    await ask(
      <Asking footer={<Button>Cancel</Button>}>
        <TextField label="Name" value="" onChange={() => undefined} />
      </Asking>,
    );
    expect(screen.getByRole("textbox", { name: "Name" })).toHaveFocus();
  });

  it("focuses the first answer when there is no input", async () => {
    await ask(
      <Asking
        footer={
          <>
            <Button>Keep it</Button>
            <Button kind="danger-full">Delete</Button>
          </>
        }
      >
        Frees 3 GB. <a href="#more">More</a>
      </Asking>,
    );
    expect(screen.getByRole("button", { name: "Keep it" })).toHaveFocus();
  });

  it("that opens as a sheet focuses its content for reading", () => {
    renderWithProviders(
      <Sheet open onOpenChange={() => undefined} title="Details">
        <TextField label="Title" value="" onChange={() => undefined} />
      </Sheet>,
    );
    expect(screen.getByRole("dialog")).toHaveFocus();
  });
});

describe("a menu", () => {
  it("renders inside the part of the page it belongs to and does not hide it", async () => {
    const groups = [[{ label: "One", onSelect: () => undefined }]];
    const { user } = renderWithProviders(
      <main>
        <FloatContainer>
          <Menu groups={groups}>
            <Button>More</Button>
          </Menu>
          <Button>Other</Button>
        </FloatContainer>
      </main>,
    );
    await user.click(screen.getByRole("button", { name: "More" }));
    expect(screen.getByRole("main")).toContainElement(screen.getByRole("menu"));
    expect(screen.getByRole("button", { name: "Other" })).toBeVisible();
    await user.keyboard("{ArrowDown}{Escape}");
    expect(screen.queryByRole("menu")).toBeNull();
    expect(screen.getByRole("button", { name: "More" })).toHaveFocus();
  });
});

describe("a long list", () => {
  const items = Array.from({ length: 2000 }, (_, i) => ({ id: `k${i}` }));

  it("does not measure all items again when only its functions or the array identity change", () => {
    const keyOf = vi.fn((item: { id: string }) => item.id);
    function List() {
      const [count, setCount] = useState(0);
      return (
        <>
          <Button onClick={() => setCount(count + 1)}>Again {count}</Button>
          <VirtualList
            label="List"
            items={items.filter(Boolean)}
            keyOf={(item) => keyOf(item)}
            estimate={36}
            render={(item) => item.id}
          />
        </>
      );
    }
    renderWithProviders(<List />);
    expect(keyOf.mock.calls.length).toBeGreaterThan(1000);
    keyOf.mockClear();
    fireEvent.click(screen.getByRole("button", { name: "Again 0" }));
    expect(screen.getByRole("button", { name: "Again 1" })).toBeVisible();
    expect(keyOf.mock.calls.length).toBeLessThan(200);
  });

  it("shows the new items when the items change", () => {
    vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(600);
    vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(36);
    const list = (from: number) => (
      <VirtualList
        label="List"
        items={items.slice(from)}
        keyOf={(item) => item.id}
        estimate={36}
        render={(item) => item.id}
      />
    );
    function List() {
      const [from, setFrom] = useState(0);
      return (
        <>
          <Button onClick={() => setFrom(5)}>Later</Button>
          {list(from)}
        </>
      );
    }
    renderWithProviders(<List />);
    expect(screen.getByText("k0")).toBeInTheDocument();
    fireEvent.click(screen.getByRole("button", { name: "Later" }));
    expect(screen.queryByText("k0")).toBeNull();
    expect(screen.getByText("k5")).toBeInTheDocument();
  });
});

it("the menu of a row opens by a right click on the row, but not in its text field", async () => {
  renderWithProviders(
    <div role="row" tabIndex={-1}>
      <span role="gridcell">Words</span>
      <input aria-label="Name" />
      <Menu isOfRow groups={[[{ label: "Delete", onSelect: () => undefined }]]}>
        <button type="button">More</button>
      </Menu>
    </div>,
  );
  fireEvent.contextMenu(screen.getByLabelText("Name"));
  expect(screen.queryByRole("menu")).toBeNull();
  fireEvent.contextMenu(screen.getByText("Words"));
  await waitFor(() => expect(screen.getByRole("menuitem", { name: "Delete" })).toBeVisible());
});
