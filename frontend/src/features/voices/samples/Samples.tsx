import { Pause, Play, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { fetchSample, useDeleteSample, usePatchSample, useSamples, useSimilarity } from "@/api/samples";
import type { Sample } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { href, useQueryParam } from "@/lib/router";
import { useStore } from "@/lib/store";
import { toggleClip, useClipError, useClipState } from "@/player";
import { Button, ErrorBox, IconButton, TextArea, useToast, useUndo } from "@/ui";
import { leaving, type Voice } from "../library";
import { setLeaving } from "../leaving";
import { useCanListen } from "../recording/TranscriptStep";
import { useConsentLine } from "@/features/consent";
import { Numbers } from "./Numbers";
import { SimilarityResult } from "./SimilarityResult";
import { Warnings } from "./Warnings";

/** What is said in a sample; saved when the field is left. */
function Transcript({ sample }: { sample: Sample }) {
  const { t } = useTranslation("samples");
  const patch = usePatchSample(sample.profile_id);
  const [text, setText] = useState<string | null>(null);
  const save = () => {
    const transcript = (text ?? sample.transcript).trim();
    if (transcript === sample.transcript) setText(null);
    else patch.mutate({ id: sample.id, transcript }, { onSuccess: () => setText(null) });
  };
  return (
    <>
      <TextArea
        label={t("transcript.label")}
        rows={2}
        maxLength={4000}
        dir="auto"
        value={text ?? sample.transcript}
        onChange={setText}
        onBlur={save}
      />
      {patch.error ? <ErrorBox error={patch.error} /> : null}
    </>
  );
}

function SampleRow({ sample, number }: { sample: Sample; number: number }) {
  const { t } = useTranslation("samples");
  const format = useFormat();
  const toast = useToast();
  const undo = useUndo();
  const remove = useDeleteSample(sample.profile_id);
  const state = useClipState(sample.id);
  const name = sample.name || t("list.unnamed", { number });
  const load = (signal: AbortSignal) => fetchSample(sample.profile_id, sample.id, signal);
  function drop(): void {
    setLeaving(sample.id, true);
    undo({
      text: t("list.deleted", { name }),
      undo: () => setLeaving(sample.id, false),
      commit: () =>
        void remove.mutateAsync(sample.id).catch(() => {
          setLeaving(sample.id, false);
          toast({ text: t("list.notDeleted", { name }) });
        }),
    });
  }
  return (
    <li className="grid grid-cols-1 gap-3 border-b border-line py-3">
      <div className="flex items-center gap-2">
        <IconButton
          label={t(state ? "list.stop" : "list.play", { name })}
          icon={state ? <Pause size={16} /> : <Play size={16} />}
          onClick={() => toggleClip({ id: sample.id, load })}
        />
        <bdi className="min-w-0 flex-1 truncate" title={name}>
          {name}
        </bdi>
        <span className="text-12 text-ink-2 tabular-nums">{format.clock(sample.seconds)}</span>
        <IconButton label={t("list.delete", { name })} icon={<Trash2 size={16} />} onClick={drop} />
      </div>
      <Numbers sample={sample} />
      <Warnings warnings={sample.warnings} />
      <Transcript sample={sample} />
    </li>
  );
}

/** Lets the voice speak and compares it with its samples. */
function SimilarityCheck({ voice }: { voice: Voice }) {
  const { t } = useTranslation("samples");
  const canListen = useCanListen();
  const similarity = useSimilarity();
  if (!voice.profile.usable || !voice.model?.downloaded) return null;
  return (
    <div className="grid gap-3">
      <div>
        <Button
          size="small"
          busy={similarity.isPending}
          disabled={!canListen}
          onClick={() => similarity.mutate(voice.profile.id)}
        >
          {t(similarity.isPending ? "preview.listening" : "similarity.check")}
        </Button>
      </div>
      {canListen ? null : <p className="text-12 text-ink-2">{t("similarity.noModel")}</p>}
      {similarity.error ? <ErrorBox error={similarity.error} /> : null}
      {similarity.data ? <SimilarityResult result={similarity.data} /> : null}
    </div>
  );
}

/** The samples of a cloned voice, and what it lacks before it can speak. */
export function Samples({ voice }: { voice: Voice }) {
  const { t } = useTranslation("samples");
  const { profile, model } = voice;
  const samples = useSamples(profile.id, true);
  const deleted = useStore(leaving);
  const clipError = useClipError();
  const [, setNew] = useQueryParam("new");
  const consentLine = useConsentLine();
  const list = (samples.data ?? []).filter(({ id }) => !deleted.has(id));
  return (
    <section className="grid grid-cols-1 gap-3" aria-label={t("list.title")}>
      <h3 className="font-semibold">{t("list.title")}</h3>
      {profile.consent ? <p className="text-12 text-ink-2 wrap-anywhere">{consentLine(profile.consent)}</p> : null}
      {samples.error ? <ErrorBox error={samples.error} /> : null}
      {clipError ? <ErrorBox error={clipError} /> : null}
      {samples.data && list.length === 0 ? <p className="text-warn">{t("list.none")}</p> : null}
      {list.length > 0 ? (
        <ul>
          {list.map((sample, i) => (
            <SampleRow key={sample.id} sample={sample} number={i + 1} />
          ))}
        </ul>
      ) : null}
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          kind={samples.data && list.length === 0 ? "primary" : "plain"}
          icon={<Plus size={14} aria-hidden />}
          onClick={() => setNew("sample")}
        >
          {t("list.add")}
        </Button>
        {model && !model.downloaded ? (
          <a className="k-btn hover:no-underline" data-size="small" href={href("models", [model.model_name])}>
            {t("list.download", { name: model.display_name })}
          </a>
        ) : null}
      </div>
      <SimilarityCheck key={profile.id} voice={voice} />
    </section>
  );
}
