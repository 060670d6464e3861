import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Generation } from "@/api/types";
import { asWritten } from "@/lib/markup";
import { TakeList } from "@/player";
import { Button } from "@/ui";
import { isDialogue } from "./hosted";

const takesOf = (generation: Generation | undefined): number =>
  generation && !isDialogue(generation) ? Math.max(0, ...generation.chunks.map(({ takes }) => takes)) : 0;

/** Whether the takes of a turn are shown: on request, and when there is a new one. `has` says whether there are several. */
export function useTurnTakes(generation: Generation | undefined) {
  const takes = takesOf(generation);
  const [before, setBefore] = useState(takes);
  const [isShown, setShown] = useState(false);
  if (takes !== before) {
    setBefore(takes);
    if (before > 0) setShown(takes > before);
  }
  return { has: takes > 1, isShown: isShown && takes > 1, setShown };
}

/** The takes of each passage of a turn. */
export function TurnTakes({ generation, n, onHide }: { generation: Generation; n: number; onHide(): void }) {
  const { t } = useTranslation("script");
  const { chunks } = generation;
  return (
    <section aria-label={t("takesOfTurn", { n })} className="mt-2 max-w-sm">
      {chunks.map(({ text, takes }, chunk) =>
        takes > 1 ? (
          <div key={chunk} className="mb-2">
            {chunks.length > 1 ? <p className="line-clamp-1 text-12 text-ink-3">{asWritten(text)}</p> : null}
            <TakeList generation={generation} chunk={chunk} />
          </div>
        ) : null,
      )}
      <Button kind="quiet" size="small" onClick={onHide}>
        {t("hideTakes")}
      </Button>
    </section>
  );
}
