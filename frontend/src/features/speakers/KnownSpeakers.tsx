import { Pencil, Trash2 } from "lucide-react";
import { useRef, useState, type FormEvent, type KeyboardEvent, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import { useForgetSpeaker, useKnownSpeakers, useRenameKnownSpeaker } from "@/api/speakers";
import type { KnownSpeaker } from "@/api/types";
import { useConsentLine } from "@/features/consent";
import { toProblem, useErrorText } from "@/i18n/errors";
import { useFormat } from "@/i18n/format";
import { href } from "@/lib/router";
import {
  Badge,
  Button,
  EmptyState,
  ErrorBox,
  IconButton,
  Skeleton,
  TextField,
  useFocusOnRemoval,
  useToast,
  useUndo,
} from "@/ui";
import { setLeaving, useLeaving } from "./state";
import { maxName, useSpeech } from "./words";

/** The name, which is edited in place. */
function Rename({
  speaker,
  row,
  onDone,
}: {
  speaker: KnownSpeaker;
  row: RefObject<HTMLElement | null>;
  onDone(): void;
}) {
  const { t } = useTranslation("known-speakers");
  const words = useErrorText(["known-speakers:list.errors"]);
  const rename = useRenameKnownSpeaker();
  const focusOnRemoval = useFocusOnRemoval(row);
  const [name, setName] = useState(speaker.name);
  function save(event: FormEvent) {
    event.preventDefault();
    const next = name.trim();
    if (next === speaker.name) onDone();
    else if (next !== "") rename.mutate({ id: speaker.id, name: next }, { onSuccess: onDone });
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Escape") onDone();
  }
  return (
    <form
      ref={focusOnRemoval}
      className="flex flex-wrap items-start gap-2"
      aria-label={t("list.rename", { name: speaker.name })}
      onSubmit={save}
    >
      <TextField
        autoFocus
        className="min-w-40 flex-1"
        label={t("list.name")}
        hideLabel
        value={name}
        maxLength={maxName}
        dir="auto"
        error={rename.error ? words(toProblem(rename.error)).title : undefined}
        onChange={setName}
        onKeyDown={onKeyDown}
      />
      <Button type="submit" busy={rename.isPending} disabled={name.trim() === ""}>
        {t("common:save")}
      </Button>
      <Button kind="quiet" onClick={onDone}>
        {t("common:cancel")}
      </Button>
    </form>
  );
}

/** What a voice print is made of, why it may be used, and whether it can be. */
function Facts({ speaker }: { speaker: KnownSpeaker }) {
  const { t } = useTranslation("known-speakers");
  const format = useFormat();
  const speech = useSpeech();
  const consent = useConsentLine();
  return (
    <>
      <p className="text-12 text-ink-2">
        {speech(speaker)} · {t("list.updated", { date: format.date(speaker.updated_at) })}
      </p>
      <p className="text-12 text-ink-2 wrap-anywhere">{consent(speaker.consent)}</p>
      {speaker.usable ? null : (
        <p className="mt-1 flex flex-wrap items-center gap-2 text-12">
          <Badge tone="warn">{t("list.unusable")}</Badge>
          <span className="text-ink-2">{t("list.unusableHint")}</span>
        </p>
      )}
    </>
  );
}

function Row({ speaker, onForget }: { speaker: KnownSpeaker; onForget(): void }) {
  const { t } = useTranslation("known-speakers");
  const [isEdited, setEdited] = useState(false);
  const { name } = speaker;
  const row = useRef<HTMLLIElement>(null);
  return (
    <li ref={row} className="grid gap-1 border-b border-line py-3" data-row="">
      {isEdited ? (
        <Rename speaker={speaker} row={row} onDone={() => setEdited(false)} />
      ) : (
        <div className="flex items-center gap-2">
          <bdi className="min-w-0 flex-1 font-medium wrap-anywhere">{name}</bdi>
          <IconButton label={t("list.rename", { name })} icon={<Pencil size={14} />} onClick={() => setEdited(true)} />
          <IconButton label={t("list.forget", { name })} icon={<Trash2 size={14} />} onClick={onForget} />
        </div>
      )}
      <Facts speaker={speaker} />
    </li>
  );
}

/** Hides a speaker and its suggestions at once; the voice print is deleted when the undo bar ends. */
function useForget(): (speaker: KnownSpeaker) => void {
  const { t } = useTranslation("known-speakers");
  const toast = useToast();
  const undo = useUndo();
  const forget = useForgetSpeaker();
  return ({ id, name }) => {
    setLeaving(id, true);
    undo({
      text: t("list.forgotten", { name }),
      undo: () => setLeaving(id, false),
      commit: () =>
        void forget.mutateAsync(id).catch(() => {
          setLeaving(id, false);
          toast({ text: t("list.notForgotten", { name }) });
        }),
    });
  };
}

/** The people whose voices are recognised: renamed and forgotten here. */
export function KnownSpeakers() {
  const { t } = useTranslation(["known-speakers", "samples"]);
  const speakers = useKnownSpeakers();
  const leaving = useLeaving();
  const forget = useForget();
  if (speakers.error)
    return (
      <ErrorBox
        error={speakers.error}
        action={
          <Button size="small" onClick={() => void speakers.refetch()}>
            {t("common:retry")}
          </Button>
        }
      />
    );
  if (!speakers.data) return <Skeleton className="h-24" />;
  const shown = speakers.data.filter(({ id }) => !leaving.has(id));
  if (shown.length === 0)
    return (
      <EmptyState
        title={t("list.none")}
        action={
          <a className="k-btn hover:no-underline" href={href("transcribe")}>
            {t("list.toTranscripts")}
          </a>
        }
      >
        {t("list.noneHint")}
      </EmptyState>
    );
  return (
    <ul aria-label={t("list.title")} className="border-t border-line">
      {shown.map((speaker) => (
        <Row key={speaker.id} speaker={speaker} onForget={() => forget(speaker)} />
      ))}
    </ul>
  );
}
