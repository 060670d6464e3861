import { ChevronDown } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useProfiles } from "@/api/profiles";
import { useMakeScript, useTranscript } from "@/api/transcriptions";
import type { Profile, Transcript } from "@/api/types";
import { VoicePicker } from "@/features/picker";
import { useFormat } from "@/i18n/format";
import { useVoiceName } from "@/i18n/voiceName";
import { href, navigate } from "@/lib/router";
import { Button, Dialog, ErrorBox, Portrait, Skeleton, useToast } from "@/ui";
import { speakerClass } from "../text/speakers";
import { castOf } from "./voices";

type Speaker = Transcript["speakers"][number];

/** Reads all voices, page by page. */
function useAllProfiles() {
  const { items, hasMore, isLoading, isLoadingMore, loadMore, error } = useProfiles({}, 500);
  useEffect(() => {
    if (hasMore && !isLoadingMore) void loadMore();
  }, [hasMore, isLoadingMore, loadMore]);
  return { voices: items, isLoading: isLoading || hasMore, error };
}

interface RowProps {
  speaker: Speaker;
  className: string;
  voice: Profile | undefined;
  isFocused: boolean;
  onChoose(): void;
}

/** A speaker, and the button with the voice. */
function CastRow({ speaker, className, voice, isFocused, onChoose }: RowProps) {
  const { t } = useTranslation(["cast", "script"]);
  const format = useFormat();
  const voiceName = useVoiceName();
  const { name, seconds, lines } = speaker;
  const about = voice ? [voiceName(voice.name), format.language(voice.language)].join(", ") : t("script:noVoice");
  return (
    <li className={`${className} flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2`}>
      <div className="min-w-32 flex-1">
        <p className="flex items-center gap-2">
          <span className="tr-dot" aria-hidden />
          <bdi className="min-w-0 font-medium wrap-anywhere">{name}</bdi>
        </p>
        <p className="text-12 text-ink-2">
          {t("lines", { time: format.clock(seconds), count: lines, number: format.number(lines) })}
        </p>
      </div>
      <Button
        className="max-w-full"
        aria-label={t("script:voiceOf", { name, voice: about })}
        autoFocus={isFocused}
        icon={<Portrait id={voice?.id ?? name} size={20} />}
        onClick={onChoose}
      >
        <span className="min-w-0 truncate">{about}</span>
        <ChevronDown size={14} aria-hidden />
      </Button>
    </li>
  );
}

/** Makes the script, and opens it: its first part, where it is too long for one. */
function useOpenScript(id: string, onDone: () => void) {
  const { t } = useTranslation("cast");
  const toast = useToast();
  const make = useMakeScript();
  return {
    error: make.error,
    isPending: make.isPending,
    run: (voices: ReadonlyMap<string, string>) =>
      make.mutate(
        { id, voices: Object.fromEntries(voices) },
        {
          onSuccess: ([first, ...others]) => {
            onDone();
            if (!first) return;
            if (others.length > 0) toast({ text: t("parts", { count: others.length + 1 }) });
            navigate(href("script", [first.id]));
          },
        },
      ),
  };
}

/** The speakers with their voices; those who are called as a voice have it already. */
function Cast({ transcript, onClose }: { transcript: Transcript; onClose(): void }) {
  const { t } = useTranslation("cast");
  const { voices, isLoading, error } = useAllProfiles();
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());
  const [choosing, setChoosing] = useState<string | null>(null);
  const [last, setLast] = useState<string | null>(null);
  const [added, setAdded] = useState<readonly Profile[]>([]); // by the picker, which lists offers too
  const script = useOpenScript(transcript.id, onClose);
  const known = [...voices, ...added];
  const cast = castOf(transcript, known, chosen);
  const names = transcript.speakers.map(({ name }) => name);
  function choose(profile: Profile) {
    if (choosing === null) return;
    setAdded((before) => [...before, profile]);
    setChosen(new Map(chosen).set(choosing, profile.id));
  }
  function ask(name: string) {
    setLast(name);
    setChoosing(name);
  }
  const problem = script.error ?? error;
  return (
    <>
      <Dialog
        open={choosing === null}
        onOpenChange={onClose}
        title={t("title")}
        width={520}
        footer={
          <>
            <Button onClick={onClose}>{t("common:cancel")}</Button>
            {names.length === 0 ? null : (
              <Button kind="primary" busy={script.isPending} disabled={isLoading} onClick={() => script.run(cast)}>
                {t("make")}
              </Button>
            )}
          </>
        }
      >
        <div className="grid gap-3">
          <p className="text-ink-2">{t(names.length === 0 ? "none" : "hint")}</p>
          {isLoading && names.length > 0 ? (
            <Skeleton className="h-24" />
          ) : (
            <ul aria-label={t("cast")} className="border-t border-line empty:hidden">
              {transcript.speakers.map((speaker) => (
                <CastRow
                  key={speaker.name}
                  speaker={speaker}
                  className={speakerClass(names, speaker.name)}
                  voice={known.find(({ id }) => id === cast.get(speaker.name))}
                  isFocused={speaker.name === last}
                  onChoose={() => ask(speaker.name)}
                />
              ))}
            </ul>
          )}
          {problem ? <ErrorBox error={problem} /> : null}
        </div>
      </Dialog>
      <VoicePicker
        open={choosing !== null}
        value={cast.get(choosing ?? "")}
        onClose={() => setChoosing(null)}
        onChoose={choose}
      />
    </>
  );
}

/** The question which voices the speakers of a transcript get, before a script is made of it. */
export default function ScriptDialog({ id, onClose }: { id: string; onClose(): void }) {
  const { t } = useTranslation("cast");
  const { data, error } = useTranscript(id);
  if (data) return <Cast transcript={data} onClose={onClose} />;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t("title")}
      footer={<Button onClick={onClose}>{t("common:cancel")}</Button>}
    >
      {error ? <ErrorBox error={error} /> : <Skeleton className="h-24" />}
    </Dialog>
  );
}
