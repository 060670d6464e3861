import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useId, useRef, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { isAbort, toApiError, type ApiError } from "@/api/errors";
import { deleteRecording, recorder, useRecording } from "@/api/recordings";
import { addSample, refreshVoice, type Part, type Sound } from "@/api/samples";
import type { Profile } from "@/api/types";
import { soundFiles } from "@/lib/soundFiles";
import { stopClip } from "@/player";
import { Button, Dialog, FileInput } from "@/ui";
import { chooseModel } from "./EngineChoice";
import { stepFrom, type Fields, type Step } from "./fields";
import { ConsentStep, ListenStep } from "./ListenStep";
import { SoundStep } from "./SoundStep";
import { TranscriptStep } from "./TranscriptStep";
import { TrimStep } from "./TrimStep";
import { useDraftVoice, type DraftVoice } from "./useDraftVoice";
import { useSound } from "./useSound";
import { WaveFrame } from "./WaveFrame";
import "./recording.css";
import { Steps, StepBody } from "./WizardSteps";

export interface WizardProps {
  /** A recording that is open from the start, after its closing was undone. */
  initial?: Sound | undefined;
  /** The model to begin with. */
  model?: string | undefined;
  /** The voice that gets a further sample; without one a voice is made. */
  addTo?: Profile;
  onSaved(profile: Profile): void;
  /** Called with the recording of the microphone that was not used. */
  onClose(unused: Sound | null): void;
}

/** Keeps what the person enters, and makes the voice of it. */
function useVoice(sound: ReturnType<typeof useSound>, props: WizardProps) {
  const { i18n } = useTranslation();
  const [fields, setFields] = useState<Fields>({
    name: props.addTo?.name ?? "",
    language: props.addTo?.language ?? i18n.language.split("-")[0] ?? "en",
    model: props.model ?? "",
    consent: null,
    transcript: "",
  });
  const [transcribed, setTranscribed] = useState(sound.sound);
  if (transcribed !== sound.sound) {
    setTranscribed(sound.sound);
    setFields({ ...fields, transcript: "" }); // it is that of another recording
  }
  const [error, setError] = useState<ApiError | null>(null);
  const [isTried, setTried] = useState(false);
  const nameField = useRef<HTMLInputElement>(null);
  const consentField = useRef<HTMLInputElement>(null);
  const drafts = useDraftVoice();
  const client = useQueryClient();
  const { addTo } = props;
  const models = sound.check?.models ?? [];
  const chosen = chooseModel(models, fields.language, fields.model);

  /** Returns the voice as described, or focuses what is missing. */
  function described(): DraftVoice | null {
    setTried(true);
    const name = fields.name.trim();
    const missing = name === "" ? nameField : fields.consent === null ? consentField : null;
    missing?.current?.focus();
    if (missing || fields.consent === null || !sound.sound || !sound.part) return null;
    const { language, consent, transcript } = fields;
    return {
      name,
      language,
      consent,
      transcript,
      model: chosen?.model_name ?? "",
      sound: sound.sound,
      part: sound.part,
    };
  }
  async function run<R>(work: (voice: DraftVoice) => Promise<R>): Promise<R | null> {
    const voice = described();
    if (!voice) return null;
    setError(null);
    try {
      return await work(voice);
    } catch (thrown) {
      if (!isAbort(thrown)) setError(toApiError(thrown));
      return null;
    }
  }
  return {
    fields,
    change(part: Partial<Fields>): void {
      setError(null);
      setFields((before) => ({ ...before, ...part }));
    },
    models,
    chosen,
    error,
    isMissing: { name: isTried, consent: isTried },
    nameField,
    consentField,
    prepare: () => run(async (voice) => (await drafts.prepare(voice)).profile.id),
    save: () =>
      run(async (voice) => {
        if (!addTo) return drafts.save(voice);
        await addSample(addTo.id, voice.consent, voice);
        await refreshVoice(client);
        return addTo;
      }),
  };
}

/** Deletes what the microphone recorded when the wizard or the window closes; the returned function leaves it to the caller. */
function useOwnRecording(sound: Sound | null): () => void {
  const isReleased = useRef(false);
  const recording = useRecording();
  const leave = useEffectEvent(() => {
    if (recording?.purpose === "sample") void recorder.discard(recording.id).catch(() => undefined);
    if (sound?.kind === "recording" && !isReleased.current) void deleteRecording(sound.id).catch(() => undefined);
  });
  useEffect(() => {
    const end = () => leave();
    window.addEventListener("pagehide", end);
    return () => {
      window.removeEventListener("pagehide", end);
      end();
    };
  }, []);
  return () => {
    isReleased.current = true;
  };
}

/** Makes a voice from a recording in four steps. Nothing is left of it unless it is saved. */
export default function Wizard(props: WizardProps) {
  const { initial, addTo, onSaved, onClose } = props;
  const { t } = useTranslation(["samples", "transcribe", "voices", "picker"]);
  const form = useId();
  const file = useRef<HTMLInputElement>(null);
  const [step, setStep] = useState<Step>("sound");
  const [isSaving, setSaving] = useState(false);
  const recording = useRecording();
  const sound = useSound();
  const voice = useVoice(sound, props);
  const release = useOwnRecording(sound.sound);
  async function start(next: Sound, part?: Part): Promise<void> {
    setStep("sound");
    if (await sound.choose(next, part)) setStep("trim");
  }
  const begin = useEffectEvent(() => {
    if (initial) void start(initial);
  });
  useEffect(() => {
    void recorder.reopen().then(begin);
    return stopClip;
  }, []);

  function go(next: Step): void {
    stopClip();
    setStep(next);
  }
  const chooseFile = (next: File) => void start({ kind: "file", file: next });
  function close(): void {
    release();
    onClose(sound.sound?.kind === "recording" ? sound.sound : null);
  }
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!canGoOn || isSaving) return;
    if (step !== "listen") return go(stepFrom(step, 1));
    setSaving(true);
    const profile = await voice.save();
    setSaving(false);
    if (!profile) return;
    onSaved(profile); // it has its own copy of the recording
  }
  const canGoOn = sound.check !== null && sound.error === null && !sound.isChecking && recording === null;
  const last = addTo ? "add" : "save";
  const next = step === "listen" ? last : step === "transcript" && !voice.fields.transcript.trim() ? "skip" : "next";
  const actions = {
    onUse: (next: Sound, part?: Part) => void start(next, part),
    onChooseFile: () => file.current?.click(),
  };
  return (
    <Dialog
      open
      bare
      width={640}
      title={addTo ? t("list.addTitle", { name: addTo.name }) : t("title")}
      onOpenChange={(open) => !open && close()}
      footer={
        <>
          <Button kind="quiet" onClick={close}>
            {t("common:cancel")}
          </Button>
          <span className="flex-1" />
          {step === "sound" ? null : <Button onClick={() => go(stepFrom(step, -1))}>{t("back")}</Button>}
          <Button kind="primary" type="submit" form={form} busy={isSaving} disabled={!canGoOn}>
            {t(`go.${next}`)}
          </Button>
        </>
      }
    >
      <Steps step={step} adds={addTo !== undefined} />
      <WaveFrame sound={sound} canTrim={step === "trim"} onFile={chooseFile} />
      <FileInput ref={file} label={t("sound.choose")} accept={soundFiles} onChoose={([chosen]) => chooseFile(chosen)} />
      <StepBody step={step}>
        <form id={form} onSubmit={(event) => void submit(event)}>
          {step === "sound" ? (
            <SoundStep
              sound={sound}
              language={voice.fields.language}
              onLanguage={(language) => voice.change({ language })}
              {...actions}
            />
          ) : step === "trim" ? (
            <TrimStep sound={sound} {...actions} />
          ) : step === "transcript" ? (
            <TranscriptStep
              sound={sound}
              language={voice.fields.language}
              transcript={voice.fields.transcript}
              onChange={(transcript) => voice.change({ transcript })}
            />
          ) : addTo ? (
            <ConsentStep {...voice} />
          ) : (
            <ListenStep {...voice} />
          )}
        </form>
      </StepBody>
    </Dialog>
  );
}
