import { Play, Square } from "lucide-react";
import { useEffect, useEffectEvent, useState, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import type { ApiError } from "@/api/errors";
import { useModel } from "@/api/models";
import { useSimilarity } from "@/api/samples";
import type { SampleModel } from "@/api/types";
import { stopPreview, togglePreview, usePreviewError, usePreviewState } from "@/player";
import { Button, ErrorBox, Select, TextField } from "@/ui";
import { useLanguageChoices } from "../languages";
import { ConsentChoice } from "@/features/consent";
import { SimilarityResult } from "../samples/SimilarityResult";
import { EngineChoice } from "./EngineChoice";
import { useCanListen } from "./TranscriptStep";
import type { Fields } from "./fields";

interface Props {
  fields: Fields;
  change(part: Partial<Fields>): void;
  models: readonly SampleModel[];
  chosen: SampleModel | undefined;
  /** The error of the last attempt to make the voice. */
  error: ApiError | null;
  isMissing: { name: boolean; consent: boolean };
  nameField: RefObject<HTMLInputElement | null>;
  consentField: RefObject<HTMLInputElement | null>;
  /** Makes the voice as far as a preview needs it, and returns its id; null while something is missing. */
  prepare(): Promise<string | null>;
}

/** Plays the preview of the voice, then listens to it and compares it with the sample. */
function Preview({ chosen, prepare }: Pick<Props, "chosen" | "prepare">) {
  const { t } = useTranslation("samples");
  const [id, setId] = useState("");
  const [isPreparing, setPreparing] = useState(false);
  const state = usePreviewState(id);
  const error = usePreviewError();
  const canListen = useCanListen();
  const isDownloaded = useModel(chosen?.model_name)?.downloaded ?? false;
  const similarity = useSimilarity();
  const compare = useEffectEvent(() => {
    if (canListen && id && !similarity.isPending) similarity.mutate(id);
  });
  useEffect(() => {
    if (state === "playing") compare();
  }, [state]);
  useEffect(() => stopPreview, []);
  async function play(): Promise<void> {
    if (state) return stopPreview();
    setPreparing(true);
    const made = await prepare();
    setPreparing(false);
    if (made === null) return;
    setId(made);
    similarity.reset();
    togglePreview(made);
  }
  const isBusy = isPreparing || state === "loading";
  return (
    <section className="grid gap-3" aria-label={t("preview.title")}>
      <div className="flex flex-wrap items-center gap-3">
        <Button
          icon={state ? <Square size={12} aria-hidden /> : <Play size={16} aria-hidden />}
          busy={isPreparing}
          disabled={!isDownloaded}
          onClick={() => void play()}
        >
          {t(state ? "preview.stop" : "preview.play")}
        </Button>
        <p className="text-12 text-ink-2" role="status">
          {isBusy
            ? t("preview.preparing")
            : similarity.isPending
              ? t("preview.listening")
              : isDownloaded
                ? ""
                : t("preview.needsModel")}
        </p>
      </div>
      {error ? <ErrorBox error={error} /> : null}
      {similarity.error ? <ErrorBox error={similarity.error} /> : null}
      {similarity.data ? <SimilarityResult result={similarity.data} /> : null}
      {id && !canListen ? <p className="text-12 text-ink-2">{t("similarity.noModel")}</p> : null}
    </section>
  );
}

/** The last step: the name, the model and the statement, and how the voice sounds. */
export function ListenStep(props: Props) {
  const { fields, change, models, chosen, error, isMissing, nameField, consentField } = props;
  const { t } = useTranslation(["samples", "voices"]);
  const languages = useLanguageChoices(fields.language);
  const isTaken = error?.code === "name_taken";
  const nameError = isTaken
    ? t("voices:nameTaken")
    : isMissing.name && !fields.name.trim()
      ? t("voices:nameEmpty")
      : "";
  return (
    <div className="grid gap-5">
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          ref={nameField}
          label={t("voices:name")}
          value={fields.name}
          maxLength={100}
          onChange={(name) => change({ name })}
          {...(nameError ? { error: nameError } : {})}
        />
        <Select
          label={t("voices:language")}
          value={fields.language}
          choices={languages}
          onChange={(language) => change({ language })}
        />
      </div>
      <EngineChoice
        options={models}
        language={fields.language}
        chosen={chosen}
        onChange={(model) => change({ model })}
      />
      <ConsentChoice
        ref={consentField}
        value={fields.consent}
        missing={isMissing.consent}
        onChange={(consent) => change({ consent })}
      />
      {error && !isTaken ? <ErrorBox error={error} /> : null}
      <Preview chosen={chosen} prepare={props.prepare} />
    </div>
  );
}

/** The last step of a further sample: the statement about it. */
export function ConsentStep({ fields, change, error, isMissing, consentField }: Omit<Props, "prepare">) {
  return (
    <div className="grid gap-5">
      <ConsentChoice
        ref={consentField}
        value={fields.consent}
        missing={isMissing.consent}
        onChange={(consent) => change({ consent })}
      />
      {error ? <ErrorBox error={error} /> : null}
    </div>
  );
}
