import { useTranslation } from "react-i18next";
import { useToast } from "./Toasts";

/** Copies text and shows a notice, also when the browser refuses. */
export function useCopy(): (text: string) => void {
  const { t } = useTranslation();
  const toast = useToast();
  return (text) => {
    const written = navigator.clipboard
      ? navigator.clipboard.writeText(text)
      : Promise.reject(new Error("no clipboard"));
    written.then(
      () => toast({ text: t("copied") }),
      () => toast({ text: t("copyRefused") }),
    );
  };
}
