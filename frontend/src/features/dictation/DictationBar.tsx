import { LoaderCircle, Mic } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useCancelDictation, useDictation, useStartDictation, useStopDictation } from "@/api/dictation";
import type { ApiError } from "@/api/errors";
import { useErrorText } from "@/i18n/errors";
import { useCommands } from "@/lib/commands";
import { Button } from "@/ui";
import { insertText, isTextField } from "./insertText";

/** The text field that was focused last, where the text of a dictation goes. */
function useLastField() {
  const field = useRef<HTMLElement | null>(null);
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      if (target instanceof Element && isTextField(target)) field.current = target;
    };
    document.addEventListener("focusin", remember);
    return () => document.removeEventListener("focusin", remember);
  }, []);
  return field;
}

/** Shows that the microphone is open, in every window of the program, and dictates into the fields of this page. */
export function DictationBar() {
  const { t } = useTranslation();
  const { data } = useDictation();
  const field = useLastField();
  const start = useStartDictation();
  const stop = useStopDictation();
  const cancel = useCancelDictation();
  const [notice, setNotice] = useState<string | null>(null);
  const words = useErrorText();
  const status = data?.status ?? "off";

  function fail(error: ApiError) {
    // The words of errors say that no program could play a file.
    if (error.code === "no_audio_device") setNotice(t("dictation.noMicrophone"));
    else if (error.code !== "cancelled") setNotice(words(error).title);
  }
  function finish() {
    stop.mutate(undefined, {
      onSuccess: ({ text }) => {
        if (text === "") setNotice(t("dictation.nothing"));
        else if (!field.current?.isConnected || !insertText(field.current, text))
          setNotice(t("dictation.noField", { text }));
      },
      onError: fail,
    });
  }
  function toggle() {
    setNotice(null);
    if (status === "recording") finish();
    else if (status !== "transcribing") start.mutate(undefined, { onError: fail });
  }
  useCommands(
    status === "off"
      ? []
      : [
          {
            id: "dictate",
            title: t(status === "recording" ? "dictation.stop" : "dictation.start"),
            shortcut: "mod+shift+space",
            run: toggle,
          },
        ],
  );
  const isOpen = status === "recording" || status === "transcribing";
  return (
    <div className="f-banners" role="status">
      {isOpen ? (
        <div className="f-banner">
          {status === "recording" ? (
            <Mic size={16} className="flex-none text-danger" aria-hidden />
          ) : (
            <LoaderCircle size={16} className="flex-none animate-spin" aria-hidden />
          )}
          <span className="min-w-0 flex-1">{t(`dictation.${status}`)}</span>
          {status === "recording" ? (
            <Button kind="quiet" size="small" onClick={finish}>
              {t("dictation.stop")}
            </Button>
          ) : null}
          <Button kind="quiet" size="small" onClick={() => cancel.mutate()}>
            {t("cancel")}
          </Button>
        </div>
      ) : notice ? (
        <div className="f-banner">
          <Mic size={16} className="flex-none" aria-hidden />
          <span className="min-w-0 flex-1">{notice}</span>
          <Button kind="quiet" size="small" onClick={() => setNotice(null)}>
            {t("close")}
          </Button>
        </div>
      ) : null}
    </div>
  );
}
