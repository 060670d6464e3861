import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { Popover } from "@/ui";
import { hasTakes, Takes } from "./TakesSection";
import type { GenerationFlow } from "../generation/useGenerationFlow";

/** A mark after a long press, and its rectangle. */
export interface HeldMark {
  chunk: number;
  mark(): DOMRect;
}

/** The takes of a passage, in a menu at its mark. */
export function TakesMenu({
  held,
  flow,
  close,
  restoreFocus,
}: {
  held: HeldMark;
  flow: GenerationFlow;
  close(): void;
  restoreFocus(): void;
}) {
  const { t } = useTranslation("studio");
  const anchor = useRef({ getBoundingClientRect: held.mark });
  if (!hasTakes(flow, held.chunk)) return null;
  return (
    <Popover.Root open onOpenChange={close}>
      <Popover.Anchor virtualRef={anchor} />
      <Popover.Portal>
        <Popover.Content
          className="k-float w-72 max-w-[90cqw] p-3"
          side="bottom"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={t("takes.title")}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            restoreFocus();
          }}
        >
          <Takes flow={flow} chunk={held.chunk} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
