import { Play, Square } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useProfile } from "@/api/profiles";
import type { Book, Profile } from "@/api/types";
import { AwaitedVoice, VoicePicker } from "@/features/picker";
import { baseLanguage, rememberVoice } from "@/features/voices/library";
import { useFormat } from "@/i18n/format";
import { useVoiceName } from "@/i18n/voiceName";
import { useShortcut } from "@/lib/commands";
import { stopPreview, usePreviewError, usePreviewState } from "@/player";
import { Button, ErrorBox, Portrait } from "@/ui";
import type { Corrections } from "../chapters/useCorrections";
import { hearBook, hearingId } from "./hearBook";
import { PauseFields } from "./PauseFields";
import { SoundFields } from "./SoundFields";

interface Props {
  book: Book;
  corrections: Corrections;
}

/** Speaks the beginning of the book with its voice, without a trace in the history. */
function HearButton({ book, profile }: { book: Book; profile: Profile }) {
  const { t } = useTranslation("books");
  const id = hearingId(book, profile);
  const state = usePreviewState(id);
  const error = usePreviewError();
  useEffect(() => stopPreview, [id]);
  const isOn = state === "loading" || state === "playing";
  return (
    <>
      <Button
        size="small"
        className="justify-self-start"
        busy={state === "loading"}
        icon={isOn ? <Square size={12} aria-hidden /> : <Play size={14} aria-hidden />}
        onClick={() => hearBook(id, book, profile)}
      >
        {t(isOn ? "voice.stopHearing" : "voice.hear")}
      </Button>
      {state === "failed" ? <ErrorBox error={error} /> : null}
    </>
  );
}

/** Who the voice is, or what is wrong with it. */
function VoiceHead({ profile, missing, choose }: { profile: Profile | undefined; missing: string; choose(): void }) {
  const { t } = useTranslation("books");
  const voiceName = useVoiceName();
  const change = (
    <Button size="small" shortcut="v" hint={t("voice.choose")} onClick={choose}>
      {t(profile ? "voice.change" : "voice.choose")}
    </Button>
  );
  if (!profile)
    return (
      <div className="grid justify-items-start gap-3">
        <p className={missing ? "text-warn" : "text-ink-2"}>
          {missing ? t("voice.missing", { name: missing }) : t("voice.none")}
        </p>
        {change}
      </div>
    );
  return (
    <div className="flex items-center gap-3">
      <Portrait id={profile.id} size={48} hosted={profile.voice_type === "hosted"} />
      <div className="min-w-0 flex-1">
        <p className="truncate text-17 font-semibold">{voiceName(profile.name)}</p>
        <p className="line-clamp-2 text-12 text-ink-2">{profile.description}</p>
      </div>
      {change}
    </div>
  );
}

/** The voice of the whole book, and how it speaks. */
export function VoiceSection({ book, corrections }: Props) {
  const { t } = useTranslation("books");
  const format = useFormat();
  const [isPicking, setPicking] = useState(false);
  const { options } = book;
  const { data, error } = useProfile(options.profile_id);
  const profile = options.profile_id === undefined || error ? undefined : data;
  const place = `book ${book.id}`;
  const voiceName = useVoiceName();
  useShortcut("v", t("voice.choose"), () => setPicking(true));
  function choose(next: Profile) {
    rememberVoice(next.id);
    const name = voiceName(next.name);
    void corrections.setOptions({ ...options, voice: undefined, profile_id: next.id }, t("change.voice", { name }));
  }
  const spoken = options.language ?? profile?.language ?? "";
  const isForeign =
    profile !== undefined && book.language !== "" && baseLanguage(spoken) !== baseLanguage(book.language);
  return (
    <section aria-label={t("voice.title")} className="grid gap-4">
      <h3 className="font-medium">{t("voice.title")}</h3>
      {options.voice ? <p className="text-ink-2">{t("voice.ofModel", { voice: options.voice })}</p> : null}
      {options.profile_id !== undefined && !data && !error ? null : (
        <VoiceHead
          profile={profile}
          missing={error ? (options.profile_name ?? "") : ""}
          choose={() => setPicking(true)}
        />
      )}
      {isForeign ? (
        <p className="text-12 text-warn">
          {t("voice.foreign", { voice: format.language(spoken), book: format.language(book.language) })}
        </p>
      ) : null}
      {profile ? (
        <>
          <HearButton book={book} profile={profile} />
          <SoundFields
            options={options}
            profile={profile}
            onChange={(part, text) => void corrections.setOptions({ ...options, ...part }, text)}
          />
          <PauseFields
            options={options}
            onChange={(part) => void corrections.setOptions({ ...options, ...part }, t("change.pauses"))}
          />
        </>
      ) : null}
      <AwaitedVoice place={place} value={profile?.id} isPicking={isPicking} onChoose={choose} />
      <VoicePicker
        open={isPicking}
        onClose={() => setPicking(false)}
        place={place}
        value={profile?.id ?? ""}
        onChoose={(next) => {
          choose(next);
          setPicking(false);
        }}
      />
    </section>
  );
}
