import { MoreHorizontal } from "lucide-react";
import type { ReactElement } from "react";
import type { TFunction } from "i18next";
import type { SaveRequest } from "@/api/save";
import { useSystem } from "@/api/system";
import { titleOrWords } from "@/lib/heading";
import { exportGroups, exportItem, useSoundChoice } from "@/player";
import { Menu } from "@/ui";
import { rowMenu } from "./menus";
import type { HistoryRow } from "./rows";
import type { RowTexts } from "./rowTexts";
import type { Actions } from "./useActions";

const moreIcon = <MoreHorizontal size={16} aria-hidden />;

interface Props {
  row: HistoryRow;
  isMissing: boolean;
  isPlaying: boolean;
  isMenuOpen: boolean;
  actions: Actions;
  t: TFunction<"history">;
  words: RowTexts;
  onMenu(id: string | null): void;
  onSelect(id: string, extend: boolean): void;
  onDetails(id: string): void;
}

/** The button of a row's menu; the menu is mounted only while it is open, because one in each row slows scrolling. */
export function RowMenuButton({
  row,
  isMissing,
  isPlaying,
  isMenuOpen,
  actions,
  t,
  words,
  onMenu,
  onSelect,
  onDetails,
}: Props) {
  const button = (
    <button
      type="button"
      tabIndex={-1}
      aria-label={words.more}
      aria-haspopup="menu"
      aria-expanded={isMenuOpen}
      className="k-btn k-later"
      data-kind="quiet"
      data-size="small"
      data-icon=""
      onClick={isMenuOpen ? undefined : () => onMenu(row.id)}
    >
      {moreIcon}
    </button>
  );
  return isMenuOpen ? (
    <OpenMenu
      row={row}
      isMissing={isMissing}
      isPlaying={isPlaying}
      actions={actions}
      t={t}
      onMenu={onMenu}
      onSelect={onSelect}
      onDetails={onDetails}
    >
      {button}
    </OpenMenu>
  ) : (
    button
  );
}

function OpenMenu({
  row,
  isMissing,
  isPlaying,
  actions,
  t,
  onMenu,
  onSelect,
  onDetails,
  children,
}: Omit<Props, "isMenuOpen" | "words"> & { children: ReactElement }) {
  const encoders = useSystem().data?.encoders;
  const sound = useSoundChoice();
  const exported = { name: titleOrWords(row, 80), save: (request: SaveRequest) => void actions.save(row.id, request) };
  const [options = [], ...texts] = exportGroups(t, exported);
  const saves = [[exportItem(t, sound, exported, encoders), ...options], ...texts];
  return (
    <Menu
      groups={rowMenu(t, { ...row, missing: isMissing, isPlaying }, actions, saves, {
        openDetails: () => onDetails(row.id),
        select: () => onSelect(row.id, false),
      })}
      open
      onOpenChange={(open) => open || onMenu(null)}
    >
      {children}
    </Menu>
  );
}
