import { Scissors, User } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { MenuItem } from "@/ui";
import type { Paragraph } from "../text/paragraphs";
import type { PageDialog } from "../view/dialogs";
import type { Page } from "../view/usePage";
import { splitWordsOf } from "./splitWords";
import type { SpeakerActions } from "./useSpeakerActions";

/** How many speakers have a key. */
export const mostKeys = 9;

interface Props {
  page: Page;
  paragraph: Paragraph;
  actions: SpeakerActions;
  onDialog(dialog: PageDialog): void;
}

/** The items of the menu of a line that are about its speaker. */
export function useLineMenu({ page, paragraph, actions, onDialog }: Props): readonly MenuItem[] {
  const { t } = useTranslation("speakers");
  const { id, speaker } = paragraph;
  const icon = <User size={16} aria-hidden />;
  const ask = () => onDialog({ kind: "speaker", segment: id });
  const names = page.speakers.map((name, i) => ({
    label: name,
    checked: name === speaker,
    ...(i < mostKeys ? { shortcut: String(i + 1) } : {}),
    onSelect: () => actions.setLine(id, name),
  }));
  return [
    names.length === 0
      ? { label: t("transcribe:speaker.set"), icon, shortcut: "s", onSelect: ask }
      : {
          label: t("line.is"),
          icon,
          onSelect: () => undefined,
          items: [names, [{ label: t("line.new"), shortcut: "s", onSelect: ask }]],
        },
    {
      label: t("split.open"),
      icon: <Scissors size={16} aria-hidden />,
      disabled: splitWordsOf(paragraph).length < 2,
      onSelect: () => onDialog({ kind: "split", segment: id }),
    },
  ];
}
