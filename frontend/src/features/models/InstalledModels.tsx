import { HardDrive } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import { href, navigate } from "@/lib/router";
import { Button, EmptyState } from "@/ui";
import { fits, sorted } from "./filter";
import { ModelRow } from "./ModelRow";
import { isLocal } from "./phase";
import { Toolbar, useFilter } from "./Toolbar";
import { useSearchWords } from "./words";

interface Props {
  models: readonly Model[];
  selected: string | undefined;
  onSelect(name: string): void;
}

/** Models that are installed or being downloaded. */
export function InstalledModels({ models, selected, onSelect }: Props) {
  const { t } = useTranslation("models");
  const filter = useFilter();
  const words = useSearchWords();
  const here = models.filter(isLocal);
  if (here.length === 0) return <NoModels />;
  const found = here.filter((model) => fits(model, filter, words(model)));
  const shown = filter.sort === "" ? found : sorted(found, filter.sort, "");
  return (
    <>
      <Toolbar models={here} />
      <ul aria-label={t("tab.installed")} className="border-t border-line">
        {shown.map((model) => (
          <ModelRow key={model.model_name} model={model} selected={model.model_name === selected} onSelect={onSelect} />
        ))}
      </ul>
      {shown.length === 0 ? <NoMatches clear={filter.clear} /> : null}
    </>
  );
}

function NoModels() {
  const { t } = useTranslation("models");
  return (
    <EmptyState
      icon={<HardDrive size={20} aria-hidden />}
      title={t("empty.title")}
      action={
        <Button kind="primary" onClick={() => navigate(href("models", [], { tab: "more" }))}>
          {t("tab.more")}
        </Button>
      }
    >
      {t("empty.about")}
    </EmptyState>
  );
}

export function NoMatches({ clear }: { clear(): void }) {
  const { t } = useTranslation("models");
  return <EmptyState title={t("noMatches")} action={<Button onClick={clear}>{t("clearFilters")}</Button>} />;
}
