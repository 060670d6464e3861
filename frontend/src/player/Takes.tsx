import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, Popover, type ButtonProps } from "@/ui";
import { lastChunkAt } from "./samePlace";
import { usePlayhead, type Sound } from "./state";
import { TakeList } from "./TakeList";

function Face({ take, hidden = false, ...remaining }: ButtonProps & { take: number; hidden?: boolean }) {
  const { t } = useTranslation();
  return (
    <Button
      kind="quiet"
      size="small"
      className="p-take"
      {...remaining}
      {...(hidden ? { style: { visibility: "hidden" } } : {})}
    >
      {t("player.take", { number: take })}
      <ChevronDown size={14} aria-hidden />
    </Button>
  );
}

/**
 * The takes of the chunk under the playhead, if there are several. If any chunk has several, the button keeps its place
 * during all others, so that the waveform next to it does not change its width.
 */
export function Takes({ generation }: { generation: Sound }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<number | null>(null); // stays open while the playhead moves on
  const current = usePlayhead((seconds) => lastChunkAt(generation.chunks, seconds));
  const index = opened ?? current;
  const chunk = generation.chunks[index];
  if (!generation.chunks.some(({ takes }) => takes > 1)) return null;
  if (!chunk || chunk.takes < 2) return <Face take={(chunk?.take ?? 0) + 1} hidden />;
  return (
    <Popover.Root open={opened !== null} onOpenChange={(open) => setOpened(open ? index : null)}>
      <Popover.Trigger asChild>
        <Face take={chunk.take + 1} aria-label={t("player.chooseTake", { passage: index + 1, take: chunk.take + 1 })} />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="k-float w-80 max-w-[90cqw] p-3"
          side="top"
          align="end"
          sideOffset={8}
          collisionPadding={8}
          aria-label={t("player.takes", { passage: index + 1 })}
        >
          <TakeList generation={generation} chunk={index} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
