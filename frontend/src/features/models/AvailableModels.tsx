import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import { Catalogue, useCatalogueItems } from "./Catalogue";
import { rowOf, rowsOf, type FamilyRow } from "./family";
import { fits, sorted } from "./filter";
import { ModelRow } from "./ModelRow";
import { isLocal } from "./phase";
import { NoMatches } from "./InstalledModels";
import { PiperVoices } from "./PiperVoices";
import { Toolbar, useFilter } from "./Toolbar";
import { useSearchWords } from "./words";

interface Props {
  models: readonly Model[];
  selected: string | undefined;
  onSelect(name: string): void;
}

const piper = "piper";
const isPiper = ({ model }: FamilyRow): boolean => model.engine === piper;

/** Keeps the models that were offered when the tab was opened, so that a row stays while its model downloads. */
function useOffered(models: readonly Model[]): readonly Model[] {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const fresh = models.filter((model) => model.supported && !isLocal(model) && !seen.has(model.model_name));
  if (fresh.length > 0) setSeen(new Set([...seen, ...fresh.map((model) => model.model_name)]));
  return models.filter((model) => seen.has(model.model_name));
}

/** Models that can be downloaded: the program's own list, then Piper with its own and its public voices. */
export function AvailableModels({ models, selected, onSelect }: Props) {
  const { t, i18n } = useTranslation("models");
  const filter = useFilter();
  const words = useSearchWords();
  const [taken, setTaken] = useState<Readonly<Record<string, string>>>({});
  const offered = useOffered(models);
  const own = new Set(Object.values(taken));
  const shown = offered.filter((model) => !own.has(model.model_name) && fits(model, filter, words(model)));
  const order = sorted(shown, filter.sort, filter.language || i18n.language);
  const rows = rowsOf(order, selected);
  const chosen = rowOf(rows, selected);
  const row = (model: Model, variants = 1, name = model.model_name) => (
    <ModelRow
      key={name}
      model={model}
      variants={variants}
      selected={model.model_name === (chosen?.model.model_name ?? selected)}
      onSelect={onSelect}
    />
  );
  // The first row of a family keeps its key, and so the focus, when its model begins to download.
  const isFirst = (one: FamilyRow) => rows.find(({ family }) => family === one.family) === one;
  const familyRow = (one: FamilyRow) =>
    row(one.model, one.family.length, isFirst(one) ? one.family[0]?.model_name : one.model.model_name);
  const isFiltered = filter.search !== "" || filter.language !== "" || filter.engine !== "";
  const offersPiper = filter.engine === "" || filter.engine === piper;
  const catalogue = useCatalogueItems(filter, taken, offersPiper && isFiltered);
  const piperVoices = shown.filter(({ engine }) => engine === piper);
  const hasPiper = piperVoices.length > 0 || catalogue.items.length > 0 || !isFiltered || !catalogue.query.isSuccess;
  return (
    <>
      <Toolbar models={models.filter((model) => model.supported)} />
      <ul aria-label={t("tab.more")} className="border-t border-line">
        {rows.filter((one) => !isPiper(one)).map(familyRow)}
      </ul>
      {shown.length === 0 && !(offersPiper && hasPiper) ? <NoMatches clear={filter.clear} /> : null}
      {offersPiper && hasPiper ? (
        <PiperVoices models={piperVoices} isFiltered={isFiltered}>
          <ul aria-label={t("piper.title")}>{rows.filter(isPiper).map(familyRow)}</ul>
          <Catalogue
            models={models}
            filter={filter}
            taken={taken}
            onTaken={(key, name) => setTaken((before) => ({ ...before, [key]: name }))}
            row={row}
          />
        </PiperVoices>
      ) : null}
    </>
  );
}
