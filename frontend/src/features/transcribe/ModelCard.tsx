import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import { href } from "@/lib/router";
import { Card } from "@/ui";
import { ModelDownload } from "./ModelDownload";
import { firstModel } from "./models";
import { setOptions } from "./options";
import { useHeldFiles } from "./state";

/** The first model in one click: the one that suits this machine best. */
export function ModelCard({ models }: { models: readonly Model[] }) {
  const { t } = useTranslation("transcribe");
  const held = useHeldFiles();
  const [wanted, setWanted] = useState("");
  const model =
    models.find(({ model_name }) => model_name === wanted) ??
    models.find(({ downloading }) => downloading !== null) ??
    firstModel(models);
  if (!model) return null;
  return (
    <Card className="mx-auto grid w-full max-w-110 gap-3 text-start" role="region" aria-label={t("first.title")}>
      <div>
        <h2 className="font-semibold">{t("first.title")}</h2>
        <p className="text-ink-2">
          {t("first.text", { model: model.display_name, count: model.languages.length })} {t(`first.${model.fits}`)}
        </p>
      </div>
      {held.length > 0 ? <p className="text-ink-2">{t("first.held", { count: held.length })}</p> : null}
      <ModelDownload
        model={model}
        more={<a href={href("models", [], { tab: "more" })}>{t("first.others")}</a>}
        onStart={() => {
          setWanted(model.model_name);
          setOptions({ model: model.model_name });
        }}
      />
    </Card>
  );
}
