import { ChevronDown } from "lucide-react";
import { useTranslation } from "react-i18next";
import { usePatchGeneration } from "@/api/history";
import { Button, Menu, type ButtonProps } from "@/ui";
import { lastChunkAt } from "./samePlace";
import { usePlayhead, type Sound } from "./state";
import { player } from "./store";

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
 * The takes of the chunk under the playhead, if there are several: choosing one plays it at once. If any chunk has
 * several, the button keeps its place during all others, so that the waveform next to it does not change its width.
 */
export function Takes({ generation, onProblem }: { generation: Sound; onProblem(error: unknown): void }) {
  const { t } = useTranslation();
  const patch = usePatchGeneration();
  const index = usePlayhead((seconds) => lastChunkAt(generation.chunks, seconds));
  const chunk = generation.chunks[index];
  if (!generation.chunks.some(({ takes }) => takes > 1)) return null;
  if (!chunk || chunk.takes < 2) return <Face take={(chunk?.take ?? 0) + 1} hidden />;

  function choose(take: number) {
    if (take === chunk?.take || patch.isPending) return;
    onProblem(null);
    patch.mutate(
      { id: generation.id, changes: { chunks: { [String(index)]: { take } } } },
      {
        onSuccess: (made) => {
          if (player.get().generation?.id === made.id)
            player.load(made, { play: true, at: made.chunks[index]?.start ?? 0 });
        },
        onError: onProblem,
      },
    );
  }
  const shown = patch.isPending ? (patch.variables.changes.chunks?.[String(index)]?.take ?? chunk.take) : chunk.take;
  const takes = Array.from({ length: chunk.takes }, (_, take) => ({
    label: t("player.take", { number: take + 1 }),
    checked: take === shown,
    onSelect: () => choose(take),
  }));
  return (
    <Menu groups={[takes]}>
      <Face take={shown + 1} aria-label={t("player.chooseTake", { passage: index + 1, take: shown + 1 })} />
    </Menu>
  );
}
