import { Check, ChevronRight } from "lucide-react";
import { ContextMenu, DropdownMenu } from "radix-ui";
import { Fragment, type ReactElement, type ReactNode } from "react";
import { useFloatHome } from "./home";
import { Kbd } from "./Kbd";

export interface MenuItem {
  /** Its words; also its key, so each must differ. */
  label: string;
  onSelect(): void;
  icon?: ReactNode;
  shortcut?: string;
  danger?: boolean;
  disabled?: boolean;
  /** A mark before it that can be on or off. */
  checked?: boolean;
  /** A menu of its own, which opens beside it; `onSelect` is not called then. */
  items?: MenuGroups;
}

/** Groups of items with a line between them. */
export type MenuGroups = readonly (readonly MenuItem[])[];

type Part = "Item" | "CheckboxItem" | "Separator" | "Sub" | "SubTrigger" | "SubContent" | "Portal";
type Kit = Pick<typeof DropdownMenu, Part> | Pick<typeof ContextMenu, Part>;

function SubMenu({ kit, item, groups }: { kit: Kit; item: MenuItem; groups: MenuGroups }) {
  return (
    <kit.Sub>
      <kit.SubTrigger disabled={item.disabled ?? false}>{item.icon}{item.label}<ChevronRight size={14} className="ms-auto rtl:rotate-180" aria-hidden /></kit.SubTrigger>
      <kit.Portal container={useFloatHome()}><kit.SubContent className="k-menu" sideOffset={4} collisionPadding={8}><Entries kit={kit} groups={groups} /></kit.SubContent></kit.Portal>
    </kit.Sub>
  );
}

function Entry({ kit, item }: { kit: Kit; item: MenuItem }) {
  const words = <>{item.icon}{item.label}{item.shortcut ? <Kbd keys={item.shortcut} /> : null}</>;
  if (item.items) return <SubMenu kit={kit} item={item} groups={item.items} />;
  const common = { disabled: item.disabled ?? false, "data-danger": item.danger ? "" : undefined, onSelect: () => item.onSelect() };
  if (item.checked === undefined) return <kit.Item {...common}>{words}</kit.Item>;
  return <kit.CheckboxItem {...common} checked={item.checked}><span className="inline-grid size-4 place-items-center">{item.checked ? <Check size={14} aria-hidden /> : null}</span>{words}</kit.CheckboxItem>;
}

function Entries({ kit, groups }: { kit: Kit; groups: MenuGroups }) {
  return groups.filter((group) => group.length > 0).map((group, i) => (
    <Fragment key={group[0]?.label}>
      {i > 0 ? <kit.Separator /> : null}
      {group.map((item) => <Entry key={item.label} kit={kit} item={item} />)}
    </Fragment>
  ));
}

/** A menu below its button, which is the only child. Not modal: that would hide a page from readers whose buttons can be reached. */
export function Menu({ groups, children, align = "end", ...rest }: { groups: MenuGroups; children: ReactElement; align?: "start" | "center" | "end"; open?: boolean; onOpenChange?(open: boolean): void }) {
  return (
    <DropdownMenu.Root modal={false} {...rest}>
      <DropdownMenu.Trigger asChild>{children}</DropdownMenu.Trigger>
      <DropdownMenu.Portal container={useFloatHome()}>
        <DropdownMenu.Content className="k-menu" sideOffset={4} collisionPadding={8} align={align}><Entries kit={DropdownMenu} groups={groups} /></DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** The same by the second mouse button or the menu key on its only child. */
export function ContextMenuArea({ groups, children }: { groups: MenuGroups; children: ReactElement }) {
  return (
    <ContextMenu.Root modal={false}>
      <ContextMenu.Trigger asChild>{children}</ContextMenu.Trigger>
      <ContextMenu.Portal container={useFloatHome()}>
        <ContextMenu.Content className="k-menu" collisionPadding={8}><Entries kit={ContextMenu} groups={groups} /></ContextMenu.Content>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  );
}
