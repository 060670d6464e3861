import { useEffect, useRef, useState, type FormEvent, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import { isAbort, missingModel } from "@/api/errors";
import { useModel } from "@/api/models";
import { useKnownSpeakers, useRememberSpeaker } from "@/api/speakers";
import type { ConsentKind, KnownSpeaker } from "@/api/types";
import { NeedModel } from "@/features/picker";
import { ConsentChoice } from "@/features/consent";
import { toProblem, useErrorText } from "@/i18n/errors";
import { useFormat } from "@/i18n/format";
import { Button, Dialog, ErrorBox, TextField } from "@/ui";
import { isName, maxName, sameName, useSpeech } from "./words";

const formId = "remember-form";

interface Props {
  transcript: string;
  /** The name of the speaker in the transcript. */
  speaker: string;
  /** Called with another name for the speaker in the transcript. */
  onRename(name: string): void;
  onClose(): void;
}

interface Fields {
  name: string;
  kind: ConsentKind | null;
  by: string;
}

/** Sends the request, which is cancelled when the dialog closes. */
function useRemember({ transcript, speaker }: Props) {
  const remember = useRememberSpeaker();
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  return {
    made: remember.data,
    isPending: remember.isPending,
    error: isAbort(remember.error) ? null : remember.error,
    reset: remember.reset,
    send({ name, kind, by }: Fields) {
      if (!kind || remember.isPending) return;
      const abort = new AbortController();
      running.current = abort;
      const statement = by.trim() ? { consent_by: by.trim() } : {};
      const body = { transcription_id: transcript, speaker, name: name.trim(), consent: kind, ...statement };
      remember.mutate({ body, signal: abort.signal });
    },
  };
}

/** The error of the request, or the download of the model that it needs. */
function Problem({ error, onReady }: { error: unknown; onReady(): void }) {
  const { t } = useTranslation("known-speakers");
  const format = useFormat();
  const words = useErrorText(["known-speakers:remember.errors"]);
  const model = useModel(missingModel(error) ?? undefined);
  if (!model) return <ErrorBox error={error} words={words(toProblem(error))} />;
  return (
    <NeedModel
      model={model}
      question={t("remember.needsModel", { model: model.display_name, size: format.megabytes(model.size_mb) })}
      onReady={onReady}
    />
  );
}

interface FormProps {
  fields: Fields;
  /** The known speaker of that name. */
  present: KnownSpeaker | undefined;
  isTried: boolean;
  choice: RefObject<HTMLInputElement | null>;
  onChange(part: Partial<Fields>): void;
  onSubmit(event: FormEvent): void;
}

/** The name, the consent, and what is stored where. */
function Form({ fields, present, isTried, choice, onChange, onSubmit }: FormProps) {
  const { t } = useTranslation("known-speakers");
  return (
    <form id={formId} className="grid gap-4" onSubmit={onSubmit}>
      <TextField
        label={t("remember.name")}
        value={fields.name}
        maxLength={maxName}
        dir="auto"
        onChange={(name) => onChange({ name })}
        hint={present ? t("remember.known", { name: present.name }) : undefined}
        error={isTried && !isName(fields.name) ? t("remember.noName") : undefined}
      />
      <ConsentChoice
        ref={choice}
        value={fields.kind}
        missing={isTried}
        detail={t("remember.permissionDetail")}
        onChange={(kind) => onChange({ kind })}
      />
      <TextField
        label={t("remember.by")}
        hint={t("remember.byHint")}
        value={fields.by}
        maxLength={maxName}
        dir="auto"
        onChange={(by) => onChange({ by })}
      />
      <p className="text-12 text-ink-2">{t("remember.stored")}</p>
    </form>
  );
}

/** What was stored, and that the speaker has another name in the transcript. */
function Result({ made, speaker }: { made: KnownSpeaker; speaker: string }) {
  const { t } = useTranslation("known-speakers");
  const speech = useSpeech();
  return (
    <div className="grid gap-2" role="status">
      <p className="font-medium">{t("remember.made", { name: made.name })}</p>
      <p className="text-ink-2">{speech(made)}</p>
      {sameName(made.name, speaker) ? null : <p className="text-ink-2">{t("remember.stillNamed", { speaker })}</p>}
    </div>
  );
}

function ResultButtons({ made, speaker, onRename, onClose }: Props & { made: KnownSpeaker }) {
  const { t } = useTranslation("known-speakers");
  const isNamed = sameName(made.name, speaker);
  const close = (
    <Button kind={isNamed ? "primary" : "plain"} autoFocus={isNamed} onClick={onClose}>
      {t("common:close")}
    </Button>
  );
  if (isNamed) return close;
  function rename() {
    onClose(); // before a dialog that asks whether two speakers are one
    onRename(made.name);
  }
  return (
    <>
      {close}
      <Button kind="primary" autoFocus onClick={rename}>
        {t("remember.rename", { name: made.name })}
      </Button>
    </>
  );
}

/** The name, the consent, and what is stored where, before a voice print is made. */
export function RememberDialog(props: Props) {
  const { t } = useTranslation(["known-speakers", "samples"]);
  const { speaker, onClose } = props;
  const known = useKnownSpeakers().data ?? [];
  const [fields, setFields] = useState<Fields>({ name: isName(speaker) ? speaker : "", kind: null, by: "" });
  const [isTried, setTried] = useState(false);
  const choice = useRef<HTMLInputElement>(null);
  const { made, isPending, error, send, reset } = useRemember(props);
  const present = known.find(({ name }) => sameName(name, fields.name));
  function submit(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    if (!isName(fields.name)) return;
    if (fields.kind === null) choice.current?.focus();
    else send(fields);
  }
  const buttons = (
    <>
      <Button onClick={onClose}>{t("common:cancel")}</Button>
      <Button kind="primary" type="submit" form={formId} busy={isPending}>
        {t(present ? "remember.improve" : "remember.send")}
      </Button>
    </>
  );
  function onReady() {
    reset();
    send(fields);
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t("remember.title")}
      width={480}
      footer={made ? <ResultButtons {...props} made={made} /> : buttons}
    >
      {made ? (
        <Result made={made} speaker={speaker} />
      ) : (
        <div className="grid gap-4">
          <Form
            fields={fields}
            present={present}
            isTried={isTried}
            choice={choice}
            onChange={(part) => setFields({ ...fields, ...part })}
            onSubmit={submit}
          />
          <p role="status" className="empty:hidden">
            {isPending ? t("remember.listening", { speaker }) : null}
          </p>
          {error ? <Problem error={error} onReady={onReady} /> : null}
        </div>
      )}
    </Dialog>
  );
}
