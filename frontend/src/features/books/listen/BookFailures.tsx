import { useState } from "react";
import { useTranslation } from "react-i18next";
import { usePatchBook, usePatchBookChapter } from "@/api/books";
import { failureOf } from "@/api/errors";
import type { Book, BookChapter, Failure, Profile } from "@/api/types";
import { VoicePicker } from "@/features/picker";
import { actionsFor, useErrorText } from "@/i18n/errors";
import { href, navigate } from "@/lib/router";
import { Button, ErrorBox } from "@/ui";
import { guarded } from "../state";
import { isSpoken } from "./chapters";
import { useGenerating } from "./useGenerating";

interface Group {
  failure: Failure;
  chapters: readonly BookChapter[];
}

/** Returns the reasons for which chapters failed, each once with its chapters. */
export function failuresOf({ chapters }: Pick<Book, "chapters">): Group[] {
  const failed = chapters.filter((chapter) => isSpoken(chapter) && chapter.state === "failed" && !chapter.wanted);
  const groups = new Map<string, BookChapter[]>();
  for (const chapter of failed) {
    const key = `${chapter.error?.code} ${chapter.error?.detail}`;
    groups.set(key, [...(groups.get(key) ?? []), chapter]);
  }
  return [...groups.values()].flatMap((all) => (all[0]?.error ? [{ failure: all[0].error, chapters: all }] : []));
}

/** Why chapters failed, each reason once, with what resolves it. */
export function BookFailures({ book }: { book: Book }) {
  const groups = failuresOf(book);
  if (groups.length === 0) return null;
  return (
    <div className="grid flex-none gap-2 border-b border-line px-4 py-3">
      {groups.map((group) => (
        <Reason key={group.failure.code + group.failure.detail} book={book} {...group} />
      ))}
    </div>
  );
}

function Reason({ book, failure, chapters }: Group & { book: Book }) {
  const { t } = useTranslation("audiobook");
  const words = useErrorText()(failureOf(failure));
  const { start, dialog } = useGenerating(book.id);
  const [first] = chapters;
  const where =
    chapters.length === 1 ? t("failedOne", { title: first?.title }) : t("failedMany", { count: chapters.length });
  const ids = chapters.map(({ id }) => id);
  return (
    <ErrorBox
      error={failureOf(failure)}
      words={{ title: `${where} ${words.title}`, remedy: words.remedy }}
      action={
        <span className="flex flex-none flex-wrap items-center justify-end gap-1">
          <Remedy book={book} failure={failure} chapters={chapters} />
          <Button size="small" onClick={() => void start(ids)}>
            {t("common:retry")}
          </Button>
          {dialog}
        </span>
      }
    />
  );
}

/** The button that resolves an error of a chapter, beside that which tries again. */
function Remedy({ book, failure, chapters }: Group & { book: Book }) {
  const { t } = useTranslation("audiobook");
  const actions = actionsFor(failure.code);
  const model = failure.params?.model_name;
  if (actions.includes("chooseVoice")) return <OtherVoice book={book} chapters={chapters} />;
  if (actions.includes("openModel") || actions.includes("openModels"))
    return (
      <Button
        size="small"
        onClick={() =>
          navigate(
            actions.includes("freeSpace")
              ? href("models", [], { sort: "size" })
              : href("models", typeof model === "string" ? [model] : []),
          )
        }
      >
        {actions.includes("freeSpace") ? t("freeSpace") : t("openModels")}
      </Button>
    );
  return null;
}

/** Chooses another voice for chapters, and generates them: for those with a voice of their own theirs, else that of the book. */
function OtherVoice({ book, chapters }: { book: Book; chapters: readonly BookChapter[] }) {
  const { t } = useTranslation("audiobook");
  const [isOpen, setOpen] = useState(false);
  const { mutateAsync: patchBook } = usePatchBook(book.id);
  const { mutateAsync: patchChapter } = usePatchBookChapter(book.id);
  const { start, dialog } = useGenerating(book.id);
  const own = chapters.filter(({ options }) => options.profile_id);
  const value = own[0]?.options.profile_id ?? book.options.profile_id;
  async function choose({ id }: Profile) {
    for (const { id: chapter, options } of own)
      await patchChapter({ chapter, options: { ...options, profile_id: id, voice: "" } });
    if (own.length < chapters.length) await patchBook({ options: { ...book.options, profile_id: id, voice: "" } });
    await start(chapters.map((chapter) => chapter.id));
  }
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {t("chooseVoice")}
      </Button>
      <VoicePicker
        open={isOpen}
        onClose={() => setOpen(false)}
        value={value}
        onChoose={(profile) => void guarded(() => choose(profile))}
      />
      {dialog}
    </>
  );
}
