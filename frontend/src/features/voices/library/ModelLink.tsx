import { useTranslation } from "react-i18next";
import { actionsFor, toProblem } from "@/i18n/errors";
import { href } from "@/lib/router";
import type { Voice } from "./voice";

/** A link to the model of a voice whose error is about the model. */
export function ToModel({ error, voice }: { error: unknown; voice: Voice | undefined }) {
  const { t } = useTranslation("picker");
  if (!actionsFor(toProblem(error).code).includes("openModel")) return null;
  const name = voice?.model?.model_name;
  return (
    <a className="k-btn hover:no-underline" data-size="small" href={href("models", name ? [name] : [])}>
      {t("toModel")}
    </a>
  );
}
