import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useProfile } from "@/api/profiles";
import type { Book, BookChapter, BookOptions } from "@/api/types";
import { VoicePicker } from "@/features/picker";
import { useVoiceName } from "@/i18n/voiceName";
import { Button, Dialog, Portrait } from "@/ui";
import type { Corrections } from "../chapters/useCorrections";
import { SoundFields } from "./SoundFields";

interface Props {
  book: Book;
  chapter: BookChapter;
  corrections: Corrections;
  onClose(): void;
}

/** Voice, speed and language of one chapter, in place of those of the book. The language that its file states is proposed. */
export function ChapterOptions({ book, chapter, corrections, onClose }: Props) {
  const { t } = useTranslation("books");
  const voiceName = useVoiceName();
  const [options, setOptions] = useState<BookOptions>({ language: chapter.language, ...chapter.options });
  const [isPicking, setPicking] = useState(false);
  const { data: profile } = useProfile(options.profile_id ?? book.options.profile_id);
  const isOwn = options.profile_id !== undefined;
  function save(next: BookOptions) {
    onClose();
    void corrections.setChapterOptions(chapter, next);
  }
  // Dialogs never stack: the picker takes the place of this one.
  if (isPicking)
    return (
      <VoicePicker
        open
        onClose={() => setPicking(false)}
        value={profile?.id ?? ""}
        onChoose={({ id }) => {
          setOptions({ ...options, voice: undefined, profile_id: id });
          setPicking(false);
        }}
      />
    );
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t("chapterOptions.title", { title: chapter.title })}
      footer={
        <>
          <Button onClick={onClose}>{t("common:cancel")}</Button>
          {isOwn || chapter.options.speed || chapter.options.language ? (
            <Button onClick={() => save({})}>{t("chapterOptions.reset")}</Button>
          ) : null}
          <Button kind="primary" onClick={() => save(options)}>
            {t("common:save")}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <div className="flex items-center gap-3">
          {profile ? <Portrait id={profile.id} /> : null}
          <div className="min-w-0 flex-1">
            <p className="truncate font-medium">{profile ? voiceName(profile.name) : t("voice.none")}</p>
            {isOwn ? null : <p className="text-12 text-ink-3">{t("chapterOptions.ofBook")}</p>}
          </div>
          <Button size="small" onClick={() => setPicking(true)}>
            {t("voice.change")}
          </Button>
        </div>
        <SoundFields
          options={options}
          base={book.options}
          profile={profile}
          onChange={(part) => setOptions((before) => ({ ...before, ...part }))}
        />
      </div>
    </Dialog>
  );
}
