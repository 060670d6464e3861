import { RotateCcw } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useModels } from "@/api/models";
import { hasEnded } from "@/api/types";
import { Inspector } from "@/lib/slots";
import { useFormat } from "@/i18n/format";
import { Button, Kbd, Switch } from "@/ui";
import { setOptions, useOptions } from "../options";
import { unsureBelow, unsureWords } from "../text/pieces";
import { FindSpeakersSection } from "../finding/FindSpeakersSection";
import type { PageDialog } from "./dialogs";
import type { Page } from "./usePage";

const shownWords = 8;

/** What the transcript is made from, and how. */
function Facts({ page, onDialog }: { page: Page; onDialog(dialog: PageDialog): void }) {
  const { t } = useTranslation("transcribe");
  const format = useFormat();
  const { transcript, segments } = page;
  const models = useModels().data;
  const model = models?.find(({ model_name }) => model_name === transcript.model_name)?.display_name;
  const count = segments.reduce(
    (sum, { text }) => sum + (text.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)?.length ?? 0),
    0,
  );
  const lines: [string, string][] = [
    [t("language"), transcript.language ? format.language(transcript.language) : "–"],
    [t("length"), t("lengthWords", { time: format.clock(transcript.duration), count, number: format.number(count) })],
    [t("model"), model ?? transcript.model_name],
    [t("source.label"), transcript.file_name || t(`source.${transcript.source}`)],
    [t("created"), format.dateTime(transcript.created_at)],
  ];
  return (
    <section>
      <dl className="grid grid-cols-[minmax(72px,auto)_minmax(0,1fr)] gap-x-4 gap-y-1.5">
        {lines.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-3">{name}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      {hasEnded(transcript.status) && transcript.duration > 0 ? (
        <Button
          size="small"
          className="mt-3"
          icon={<RotateCcw size={14} aria-hidden />}
          onClick={() => onDialog({ kind: "rerun", from: 0, to: transcript.duration })}
        >
          {t("rerun.open")}
        </Button>
      ) : null}
    </section>
  );
}

/** The words that the model was unsure of. */
function Unsure({ page, onNext }: { page: Page; onNext(): void }) {
  const { t } = useTranslation("transcribe");
  const format = useFormat();
  const { marks } = useOptions();
  const words = unsureWords(page.visible);
  const play = (word: (typeof words)[number]) => {
    page.show(word.segment);
    page.play(word.start);
  };
  return (
    <section aria-label={t("unsure.title")}>
      <div className="flex items-center justify-between gap-2">
        <h3 className="text-12 font-medium text-ink-2">{t("unsure.title")}</h3>
        <span className="text-12 text-ink-3">
          {t("unsure.count", { count: words.length, number: format.number(words.length) })}
        </span>
      </div>
      <div className="my-2 flex items-center justify-between gap-3 text-12 text-ink-2">
        <span>{t("unsure.hint", { part: format.percent(unsureBelow) })}</span>
        <Switch label={t("unsure.mark")} checked={marks} onChange={(on) => setOptions({ marks: on })} />
      </div>
      {words.length > 0 ? (
        <>
          <ul>
            {words.slice(0, shownWords).map((word) => (
              <li key={`${word.segment}:${word.word}`}>
                <button type="button" className="tr-check" onClick={() => play(word)}>
                  <span className="w-10 flex-none text-start text-12 text-ink-3">{format.clock(word.start)}</span>
                  <span className="min-w-0 flex-1 truncate text-start">{word.text}</span>
                  <span className="text-12 text-ink-3">
                    {t("unsure.sure", { part: format.percent(word.probability) })}
                  </span>
                </button>
              </li>
            ))}
          </ul>
          <Button kind="quiet" size="small" className="-ms-2.5 mt-1" onClick={onNext}>
            {t("unsure.next")}
            <Kbd keys="f8" />
          </Button>
        </>
      ) : null}
    </section>
  );
}

/** How speakers are named, while none is. */
function SpeakerHint() {
  const { t } = useTranslation("transcribe");
  return (
    <section aria-label={t("speaker.all")}>
      <h3 className="mb-2 text-12 font-medium text-ink-2">{t("speaker.all")}</h3>
      <p className="text-12 text-ink-3">{t("speaker.none")}</p>
    </section>
  );
}

interface Props {
  page: Page;
  onNextUnsure(): void;
  onDialog(dialog: PageDialog): void;
}

/** Everything about the open transcript. */
export function Details({ page, onNextUnsure, onDialog }: Props) {
  const { t } = useTranslation("transcribe");
  const { transcript, segments } = page;
  const hasWords = segments.some(({ words }) => words.length > 0);
  return (
    <Inspector title={transcript.title || t("untitled")}>
      <Facts page={page} onDialog={onDialog} />
      {hasWords ? <Unsure page={page} onNext={onNextUnsure} /> : null}
      {segments.length > 0 && page.speakers.length === 0 ? <SpeakerHint /> : null}
      {transcript.status === "complete" && segments.length > 0 ? (
        <FindSpeakersSection transcript={transcript} onUndo={() => void page.editor.undo()} />
      ) : null}
      <section>
        <p className="text-12 text-ink-3">{t(hasWords ? "howToWords" : "howTo")}</p>
      </section>
    </Inspector>
  );
}
