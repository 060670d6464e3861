import { ArrowLeft, Copy, Download, MessagesSquare, PenLine, Redo2, Search, Undo2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { usePatchTranscript } from "@/api/transcriptions";
import { hasEnded } from "@/api/types";
import { href, navigate } from "@/lib/router";
import { useStore } from "@/lib/store";
import { Button, IconButton, Menu } from "@/ui";
import type { TranscriptActions } from "../list/useTranscriptActions";
import { askForExport, setProblem } from "../state";
import { textWithSpeakers } from "../text/paragraphs";
import type { Page } from "./usePage";

/** The title, which is edited in place. */
function Title({ page }: { page: Page }) {
  const { t } = useTranslation("transcribe");
  const { id, title } = page.transcript;
  const { mutateAsync: patch } = usePatchTranscript();
  const [typed, setTyped] = useState<string | null>(null);
  async function save() {
    const next = typed?.trim() ?? "";
    if (next === "" || next === title) return setTyped(null);
    setProblem(null);
    try {
      await patch({ id, changes: { title: next } });
      setTyped((now) => (now?.trim() === next ? null : now));
    } catch (error) {
      setProblem(error); // what was typed stays
    }
  }
  return (
    <input
      className="tr-title"
      aria-label={t("titleLabel")}
      placeholder={t("untitled")}
      dir="auto"
      value={typed ?? title}
      maxLength={200}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={() => void save()}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.currentTarget.blur();
        if (event.key === "Escape") setTyped(null);
      }}
    />
  );
}

/** Copies the text; where there are speakers, a menu offers it with their names too. */
function CopyButton({ page, actions, isDone }: Omit<Props, "onFind"> & { isDone: boolean }) {
  const { t } = useTranslation("transcribe");
  const { transcript, editor } = page;
  const icon = <Copy size={16} aria-hidden />;
  const copy = () => void editor.save().then(() => actions.copy(transcript.id));
  if (page.speakers.length === 0)
    return <IconButton label={t("common:export.copyText")} icon={icon} disabled={!isDone} onClick={copy} />;
  return (
    <Menu
      groups={[
        [
          { label: t("copyWithSpeakers"), icon, onSelect: () => actions.copyText(textWithSpeakers(page.segments)) },
          { label: t("common:export.copyText"), icon, onSelect: copy },
        ],
      ]}
    >
      <IconButton label={t("common:export.copyText")} icon={icon} disabled={!isDone} />
    </Menu>
  );
}

interface Props {
  page: Page;
  actions: TranscriptActions;
  onFind(): void;
}

/** The way back, the title, and what can be done with the transcript. */
export function Header({ page, actions, onFind }: Props) {
  const { t } = useTranslation("transcribe");
  const { transcript, editor } = page;
  const { pending, undone } = useStore(editor.state);
  const isDone = hasEnded(transcript.status) && page.segments.length > 0;
  const canUndo = isDone && (transcript.can_undo || pending.length > 0);
  return (
    <div className="tr-head">
      <IconButton
        label={t("allTranscripts")}
        icon={<ArrowLeft size={16} className="rtl:rotate-180" />}
        onClick={() => navigate(href("transcribe"))}
      />
      <Title page={page} />
      <IconButton label={t("findIn")} shortcut="mod+f" icon={<Search size={16} />} onClick={onFind} />
      <IconButton
        label={t("undo")}
        shortcut="mod+z"
        icon={<Undo2 size={16} />}
        disabled={!canUndo}
        onClick={() => void editor.undo()}
      />
      <IconButton
        label={t("redo")}
        shortcut="mod+shift+z"
        icon={<Redo2 size={16} />}
        disabled={undone.length === 0}
        onClick={() => void editor.redo()}
      />
      <CopyButton page={page} actions={actions} isDone={isDone} />
      <Button
        size="small"
        aria-label={t("common:export.title")}
        icon={<Download size={16} aria-hidden />}
        disabled={!isDone}
        onClick={() => void editor.save().then(() => askForExport(transcript))}
      >
        <span className="@max-[700px]/main:hidden">{t("common:export.title")}</span>
      </Button>
      <IconButton
        label={t("makeScript")}
        icon={<MessagesSquare size={16} />}
        disabled={!isDone}
        onClick={() => void editor.save().then(() => actions.script(transcript.id))}
      />
      <Button
        size="small"
        aria-label={t("toStudio")}
        icon={<PenLine size={16} aria-hidden />}
        disabled={!isDone}
        onClick={() => void editor.save().then(() => actions.studio(transcript.id))}
      >
        <span className="@max-[860px]/main:hidden">{t("toStudio")}</span>
      </Button>
    </div>
  );
}
