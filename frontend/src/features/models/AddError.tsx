import { useTranslation } from "react-i18next";
import type { ApiError, FieldError } from "@/api/errors";
import { useErrorText } from "@/i18n/errors";
import { ErrorBox } from "@/ui";
import { fileName } from "./paths";

/** Returns what is wrong with a given path, with the file's name in it. */
export function usePathError(): (error: FieldError | undefined, path: string) => string | undefined {
  const { t, i18n } = useTranslation("models");
  return (error, path) => {
    if (!error) return undefined;
    return i18n.exists(`models:pathWrong.${error.type}`)
      ? t(`pathWrong.${error.type}`, { file: fileName(path.trim()) })
      : error.msg;
  };
}

/** Why something could not be added: which file, and what is expected. */
export function AddError({ error, path }: { error: ApiError; path: string }) {
  const { t, i18n } = useTranslation("models");
  const general = useErrorText()(error);
  const refusal = `add.refused.${String(error.params.reason)}`;
  if (error.code === "model_corrupt" && i18n.exists(`models:${refusal}.title`)) {
    const named = { file: fileName(String(error.params.file ?? path).trim()) };
    return (
      <ErrorBox error={error} words={{ title: t(`${refusal}.title`, named), remedy: t(`${refusal}.remedy`, named) }} />
    );
  }
  const file = fileName(String(error.params.path ?? path).trim());
  const unknown = error.code === "model_corrupt" && error.params.path !== undefined;
  const damaged = error.code === "model_corrupt" || error.code === "engine_failed";
  const title = unknown ? t("add.unknown", { file }) : damaged ? t("add.damaged", { file }) : general.title;
  const remedy = unknown ? t("add.expected") : damaged ? error.detail : general.remedy;
  return <ErrorBox error={error} words={{ title, remedy }} />;
}
