import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import { href } from "@/lib/router";

/** What a model is for beyond speaking and transcribing. */
export function Purpose({ model }: { model: Model }) {
  if (model.family === "speakers") return <Speakers model={model} />;
  return model.cloning && model.supported ? <Cloning model={model} /> : null;
}

/** What a model that clones voices is for, and the way there once it is installed. */
function Cloning({ model }: { model: Model }) {
  const { t } = useTranslation("models");
  return (
    <section className="wrap-anywhere">
      <h3 className="mb-2 font-semibold">{t("cloning.title")}</h3>
      <p className="text-ink-2">{t("cloning.text")}</p>
      {model.downloaded ? (
        <a
          className="k-btn mt-3 hover:no-underline"
          data-size="small"
          href={href("voices", [], { new: "recording", model: model.model_name })}
        >
          {t("cloning.new")}
        </a>
      ) : (
        <p className="mt-1 text-12 text-ink-3">{t("cloning.later")}</p>
      )}
    </section>
  );
}

/** What a model that finds speakers is for. */
function Speakers({ model }: { model: Model }) {
  const { t } = useTranslation("models");
  return (
    <section className="wrap-anywhere">
      <h3 className="mb-2 font-semibold">{t("speakers.title")}</h3>
      <p className="text-ink-2">{t("speakers.text")}</p>
      {model.downloaded ? null : <p className="mt-1 text-12 text-ink-3">{t("speakers.later")}</p>}
    </section>
  );
}
