import { Sparkles, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { enhance, type HostedEnhanced } from "@/api/hosted";
import { Button, ErrorBox, IconButton, useToast } from "@/ui";
import type { EditorController } from "../editor/useEditor";
import { tagChanges } from "../editor/insertions";

/** Inserts audio tags into the page. An answer for a text that was edited meanwhile is dropped. */
function useEnhance(editor: EditorController, voice: string) {
  const { t } = useTranslation("studio");
  const toast = useToast();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);

  /** Inserts the tags, and returns what to say about it. */
  function insert(sent: string, answer: HostedEnhanced): string {
    const page = editor.handle.current;
    if (page?.text() !== sent) return t("enhance.edited");
    const changes = tagChanges(sent, answer.text);
    if (changes.length > 0) page.change(changes);
    if (changes.length > 0) return answer.fallback ? t("enhance.part") : t("enhance.done", { count: changes.length });
    if (!answer.fallback) return t("enhance.nothing");
    return t(answer.reason === "words" ? "enhance.words" : "enhance.service");
  }
  async function start(): Promise<void> {
    const text = editor.handle.current?.text() ?? "";
    if (text.trim() === "") return editor.handle.current?.focus();
    const { signal } = (controller.current = new AbortController());
    setBusy(true);
    setError(null);
    try {
      const answer = await enhance(text, voice, signal);
      if (!signal.aborted) toast({ text: insert(text, answer) });
    } catch (failure) {
      if (!signal.aborted) setError(failure);
    } finally {
      setBusy(false);
    }
  }
  return { isBusy, error, dismiss: () => setError(null), start: () => void start() };
}

/** Lets the hosted service insert audio tags that fit the text and the voice. */
export function EnhanceSection({ editor, voice }: { editor: EditorController; voice: string }) {
  const { t } = useTranslation("studio");
  const { isBusy, error, dismiss, start } = useEnhance(editor, voice);
  return (
    <section aria-label={t("enhance.title")}>
      <Button busy={isBusy} icon={<Sparkles size={16} aria-hidden />} hint={t("enhance.hint")} onClick={start}>
        {t(isBusy ? "enhance.busy" : "enhance.title")}
      </Button>
      {error ? (
        <div className="mt-3">
          <ErrorBox
            error={error}
            action={<IconButton label={t("common:close")} icon={<X size={14} />} onClick={dismiss} />}
          />
        </div>
      ) : null}
    </section>
  );
}
