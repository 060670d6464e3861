import { useTranslation } from "react-i18next";
import type { Transcript } from "@/api/types";
import { useCommands } from "@/lib/commands";
import { Button, cx, useFocusOnRemoval } from "@/ui";
import { decline, useIsOffered } from "./state";

/** A known speaker who sounds like a speaker of the transcript. */
interface Offer {
  id: string;
  name: string;
  speaker: string;
}

interface Props {
  transcript: Pick<Transcript, "id" | "speakers">;
  /** Returns the class that sets the colour of a speaker. */
  classOf(speaker: string): string;
  /** Called with a speaker and the name that was accepted. */
  onUse(speaker: string, name: string): void;
}

interface OfferProps {
  offer: Offer;
  className: string;
  onUse(): void;
  onDecline(): void;
}

function OfferChip({ offer, className, onUse, onDecline }: OfferProps) {
  const { t } = useTranslation("known-speakers");
  const { name, speaker } = offer;
  const ref = useFocusOnRemoval();
  return (
    <li ref={ref} className={cx("tr-offer", className)}>
      <span className="tr-dot" aria-hidden />
      <span className="min-w-0 wrap-anywhere">
        <bdi className="text-ink-2">{speaker}</bdi>: {t("suggestion.like", { name })}
      </span>
      <span className="flex flex-wrap gap-1">
        <Button size="small" aria-label={t("suggestion.useNamed", { name, speaker })} onClick={onUse}>
          {t("suggestion.use")}
        </Button>
        <Button kind="quiet" size="small" aria-label={t("suggestion.notNamed", { name, speaker })} onClick={onDecline}>
          {t("suggestion.not", { name })}
        </Button>
      </span>
    </li>
  );
}
/** The known speakers who sound like those of a transcript: their names are offered, and never used unasked. */
export function Suggestions({ transcript, classOf, onUse }: Props) {
  const { t } = useTranslation("known-speakers");
  const isOffered = useIsOffered(transcript.id);
  const offers = transcript.speakers.flatMap(({ name: speaker, suggestion }): Offer[] =>
    suggestion && isOffered(suggestion.id) ? [{ id: suggestion.id, name: suggestion.name, speaker }] : [],
  );
  const refuse = ({ id }: Offer) => decline(transcript.id, id);
  useCommands(
    offers.flatMap((offer) => [
      {
        id: `transcribe:suggestion:${offer.id}`,
        title: t("suggestion.useNamed", { ...offer }),
        run: () => onUse(offer.speaker, offer.name),
      },
      {
        id: `transcribe:suggestion:not:${offer.id}`,
        title: t("suggestion.notNamed", { ...offer }),
        run: () => refuse(offer),
      },
    ]),
  );
  if (offers.length === 0) return null;
  return (
    <ul className="tr-offers" aria-label={t("suggestion.all")}>
      {offers.map((offer) => (
        <OfferChip
          key={offer.id}
          offer={offer}
          className={classOf(offer.speaker)}
          onUse={() => onUse(offer.speaker, offer.name)}
          onDecline={() => refuse(offer)}
        />
      ))}
    </ul>
  );
}
