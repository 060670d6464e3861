import { Check, ChevronRight } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import {
  Fragment,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
} from "react";
import { useFloatContainer } from "./FloatContainer";
import { Kbd } from "./Kbd";
import { closedHint } from "./Tooltip";

export interface MenuItem {
  /** The label; also the key, so labels must differ. */
  label: string;
  onSelect(): void;
  icon?: ReactNode;
  shortcut?: string;
  danger?: boolean;
  disabled?: boolean;
  /** Makes the item checkable; the value is its state. */
  checked?: boolean;
  /** A submenu, which opens beside the item; `onSelect` is not called then. */
  items?: MenuGroups;
}

/** Groups of items with a separator between them. */
export type MenuGroups = readonly (readonly MenuItem[])[];

/** Of a menu or submenu. A tab stop, because with the pointer no item is one, and a low window scrolls the menu. */
const box = { className: "k-menu", sideOffset: 4, collisionPadding: 8, tabIndex: 0 };

function SubMenu({ item, groups }: { item: MenuItem; groups: MenuGroups }) {
  return (
    <DropdownMenu.Sub>
      <DropdownMenu.SubTrigger disabled={item.disabled ?? false}>
        {item.icon}
        {item.label}
        <ChevronRight size={14} className="ms-auto rtl:rotate-180" aria-hidden />
      </DropdownMenu.SubTrigger>
      <DropdownMenu.Portal container={useFloatContainer()}>
        <DropdownMenu.SubContent {...box}>
          <Entries groups={groups} />
        </DropdownMenu.SubContent>
      </DropdownMenu.Portal>
    </DropdownMenu.Sub>
  );
}

function Entry({ item }: { item: MenuItem }) {
  const words = (
    <>
      {item.icon}
      {item.label}
      {item.shortcut ? <Kbd keys={item.shortcut} /> : null}
    </>
  );
  if (item.items) return <SubMenu item={item} groups={item.items} />;
  const common = {
    disabled: item.disabled ?? false,
    "data-danger": item.danger ? "" : undefined,
    onSelect: () => item.onSelect(),
  };
  if (item.checked === undefined) return <DropdownMenu.Item {...common}>{words}</DropdownMenu.Item>;
  return (
    <DropdownMenu.CheckboxItem {...common} checked={item.checked}>
      <span className="inline-grid size-4 place-items-center">
        {item.checked ? <Check size={14} aria-hidden /> : null}
      </span>
      {words}
    </DropdownMenu.CheckboxItem>
  );
}

function Entries({ groups }: { groups: MenuGroups }) {
  return groups
    .filter((group) => group.length > 0)
    .map((group, i) => (
      <Fragment key={group[0]?.label}>
        {i > 0 ? <DropdownMenu.Separator /> : null}
        {group.map((item) => (
          <Entry key={item.label} item={item} />
        ))}
      </Fragment>
    ));
}

/** The row of a menu button. Right clicks in text fields keep the menu of the browser. */
const rows = "[role=row], [role=gridcell][data-key], li, .tr-row";
const fields = "input, textarea, select, [contenteditable=true]";

/** Opens the menu of a row also by a right click on the row, and by the menu key or Shift+F10 while the focus is in it. */
function useRowMenu(isOfRow: boolean, open: () => void) {
  const trigger = useRef<HTMLButtonElement>(null);
  const onOpen = useEffectEvent(open);
  useEffect(() => {
    const row = isOfRow ? trigger.current?.closest<HTMLElement>(rows) : null;
    const onContextMenu = (event: MouseEvent) => {
      if (!(event.target instanceof Element) || event.target.closest(fields)) return;
      event.preventDefault();
      onOpen();
    };
    row?.addEventListener("contextmenu", onContextMenu);
    return () => row?.removeEventListener("contextmenu", onContextMenu);
  }, [isOfRow]);
  return trigger;
}

/** A menu below its button, which is the only child. Not modal: that would hide a usable page from screen readers. */
export function Menu({
  title,
  groups,
  children,
  align = "end",
  isOfRow = false,
  open,
  onOpenChange,
}: {
  /** What its items are about, where the button does not say it. */
  title?: string;
  groups: MenuGroups;
  children: ReactElement;
  align?: "start" | "center" | "end";
  /** Its button stands in a row, whose actions the menu has. */
  isOfRow?: boolean;
  open?: boolean;
  onOpenChange?(open: boolean): void;
}) {
  const [isOpen, setOpen] = useState(false);
  const change = (next: boolean) => {
    setOpen(next);
    onOpenChange?.(next);
  };
  const trigger = useRowMenu(isOfRow, () => change(true));
  function onKeyDown(event: KeyboardEvent) {
    if (closedHint.delete(event.nativeEvent)) change(false);
  }
  return (
    <DropdownMenu.Root modal={false} open={open ?? isOpen} onOpenChange={change}>
      <DropdownMenu.Trigger ref={trigger} asChild>
        {children}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={useFloatContainer()}>
        <DropdownMenu.Content {...box} align={align} onKeyDown={onKeyDown}>
          {title === undefined ? null : <DropdownMenu.Label>{title}</DropdownMenu.Label>}
          <Entries groups={groups} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
