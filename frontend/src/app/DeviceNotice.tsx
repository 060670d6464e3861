import { TriangleAlert, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useModels } from "@/api/models";
import type { Model } from "@/api/types";
import { useErrorText, toProblem } from "@/i18n/errors";
import { href, useRoute } from "@/lib/router";
import { IconButton } from "@/ui";

const nameOf = (model: Model) => `${model.model_name} ${String(model.device_warning?.params?.reason)}`;

/** A model that runs on the processor in place of a graphics card, and why; once each time that it is loaded. Models shows it by itself. */
export function DeviceNotice() {
  const { t } = useTranslation();
  const words = useErrorText();
  const { screen } = useRoute();
  const models = useModels().data ?? [];
  const [closed, setClosed] = useState<readonly string[]>([]);
  const warned = models.filter((model) => model.loaded && model.device_warning);
  const stale = closed.filter((name) => !warned.some((model) => nameOf(model) === name));
  if (stale.length > 0) setClosed(closed.filter((name) => !stale.includes(name)));
  const model = warned.find((one) => !closed.includes(nameOf(one)));
  if (!model || screen === "models") return null;
  return (
    <div className="f-banner">
      <TriangleAlert size={16} aria-hidden />
      <span className="min-w-0 flex-1">
        {t("deviceNotice", { model: model.display_name, why: words(toProblem(model.device_warning)).title })}
      </span>
      <a className="k-btn hover:no-underline" data-kind="quiet" data-size="small" href={href("settings", ["devices"])}>
        {t("openDevices")}
      </a>
      <IconButton label={t("close")} icon={<X size={14} />} onClick={() => setClosed([...closed, nameOf(model)])} />
    </div>
  );
}
