import { Popover } from "radix-ui";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { hasTakes, Takes } from "./TakesSection";
import type { Making } from "../generation/useGenerationFlow";

/** A mark that is held, and where it is. */
export interface HeldMark {
  chunk: number;
  mark(): DOMRect;
}

/** The takes of a passage, at its mark. */
export function TakesMenu({
  held,
  making,
  close,
  leave,
}: {
  held: HeldMark;
  making: Making;
  close(): void;
  leave(): void;
}) {
  const { t } = useTranslation("studio");
  const anchor = useRef({ getBoundingClientRect: held.mark });
  if (!hasTakes(making, held.chunk)) return null;
  return (
    <Popover.Root open onOpenChange={close}>
      <Popover.Anchor virtualRef={anchor} />
      <Popover.Portal>
        <Popover.Content
          className="k-float w-72 max-w-[90vw] p-3"
          side="bottom"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={t("takes.title")}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            leave();
          }}
        >
          <Takes making={making} chunk={held.chunk} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
