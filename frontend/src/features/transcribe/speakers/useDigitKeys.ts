import { useTranslation } from "react-i18next";
import { useCommands } from "@/lib/commands";
import type { Page } from "../view/usePage";
import { focusedLine } from "./lineFocus";
import { mostKeys } from "./lineMenu";
import type { SpeakerActions } from "./useSpeakerActions";

/** The keys 1 to 9 set the speaker of the line that has the focus. */
export function useDigitKeys({ speakers, isEditable }: Page, actions: SpeakerActions): void {
  const { t } = useTranslation("speakers");
  useCommands(
    speakers.slice(0, mostKeys).map((name, i) => ({
      id: `transcribe:speaker-${i + 1}`,
      title: t("line.isNamed", { name }),
      shortcut: String(i + 1),
      hidden: true, // the palette takes the focus from the line
      run: () => {
        const segment = focusedLine();
        if (segment !== null && isEditable) actions.setLine(segment, name);
      },
    })),
  );
}
