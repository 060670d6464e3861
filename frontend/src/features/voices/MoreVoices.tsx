import { Download } from "lucide-react";
import { useTranslation } from "react-i18next";
import { engineName } from "@/api/models";
import type { Model } from "@/api/types";
import { href } from "@/lib/router";
import { bareName, baseLanguage, type Offer, speaks, useOffers, useVoiceWords } from "./library";
import { useDownloadsOff } from "@/features/downloads";
import { useFormat } from "@/i18n/format";
import { Portrait } from "@/ui";

/** With more voices than this no others are suggested. */
export const enough = 8;
const shown = 4;

function OfferLine({ offer: { model, voices } }: { offer: Offer }) {
  const { t } = useTranslation("voices");
  const words = useVoiceWords();
  const format = useFormat();
  const one = model.voices === 1 ? voices[0] : undefined;
  const name = one ? bareName(model) : model.display_name;
  const size = format.megabytes(model.size_mb);
  const line = one ? words.line(one) : words.some([t("more.voices", { count: model.voices }), words.note(model)]);
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2">
      <Portrait id={model.model_name} />
      <div className="min-w-40 flex-1">
        <div className="font-medium wrap-anywhere" dir="auto">
          {name}
        </div>
        <div className="text-12 text-ink-2 wrap-anywhere">{words.some([line, engineName(model.engine)])}</div>
      </div>
      <a
        className="k-btn hover:no-underline"
        data-size="small"
        href={href("models", [model.model_name])}
        aria-label={t("more.show", { name, size })}
      >
        <Download size={14} aria-hidden />
        {size}
      </a>
    </li>
  );
}

/** Returns the models that speak the language and fit: the best known one, then one of each engine, then the others. */
function fittingOf(offers: readonly Offer[], language: string): Offer[] {
  const fitting = offers.filter(({ model }) => model.fits !== "no" && speaks(model, language));
  const before = (offer: Offer) =>
    fitting.slice(0, fitting.indexOf(offer)).filter(({ model }) => model.engine === offer.model.engine).length;
  return fitting
    .map((offer) => ({ offer, rank: offer.model.default ? -1 : before(offer) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ offer }) => offer);
}

/** Models for the language that could be installed, with their size and a link to Models. */
export function MoreVoices({ models, language }: { models: readonly Model[]; language: string }) {
  const { t } = useTranslation("voices");
  const format = useFormat();
  const offers = useOffers(models);
  const off = useDownloadsOff();
  const fitting = fittingOf(offers, language);
  if (offers.length === 0 || off !== null) return null;
  return (
    <section className="k-card mx-3 my-4 grid gap-3" aria-labelledby="more-voices">
      <div className="flex flex-wrap items-center gap-3">
        <div className="min-w-40 flex-1">
          <h2 id="more-voices" className="font-semibold">
            {t("more.title")}
          </h2>
          <p className="text-12 text-ink-2">
            {fitting.length > 0
              ? t("more.text", { language: format.language(baseLanguage(language)) })
              : t("more.none", { language: format.language(baseLanguage(language)) })}
          </p>
        </div>
        <a className="k-btn hover:no-underline" href={href("models", [], { tab: "more" })}>
          {t("more.all", { count: offers.length })}
        </a>
      </div>
      {fitting.length > 0 ? (
        <ul className="border-t border-line [&>li:last-child]:border-b-0">
          {fitting.slice(0, shown).map((offer) => (
            <OfferLine key={offer.model.model_name} offer={offer} />
          ))}
        </ul>
      ) : null}
    </section>
  );
}
