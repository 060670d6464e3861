import { TriangleAlert } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { engineName } from "@/api/models";
import { useSystem } from "@/api/system";
import type { Model } from "@/api/types";
import { Inspector } from "@/lib/slots";
import { deviceName } from "@/i18n/deviceName";
import { useFormat } from "@/i18n/format";
import { Button, SegmentedControl } from "@/ui";
import { Actions } from "./Actions";
import { useModelActions } from "./modelActions";
import { DeviceWarning } from "./DeviceWarning";
import { Files } from "./Files";
import { familyOf, useVariantName } from "./family";
import { isCard, isWebAddress, useLicenceShort, useLicenceWords } from "./licence";
import { useModelState } from "./ModelRow";
import { Problem } from "./Problem";
import { Purpose } from "./Purpose";
import { RowMenu } from "./RowMenu";
import { StateCell } from "./StateCell";
import { Voices } from "./Voices";
import { useFitsReason, useLanguages, useNote, useSpeed, useWarning } from "./words";

interface Props {
  model: Model;
  models: readonly Model[];
  onSelect(name: string): void;
}

export function Details({ model, models, onSelect }: Props) {
  return (
    <Inspector title={model.display_name}>
      <Summary model={model} models={models} onSelect={onSelect} />
      <Measured model={model} />
      <Purpose model={model} />
      <Voices model={model} />
      <Licence model={model} />
      <Origin model={model} />
      <Files model={model} />
    </Inspector>
  );
}

function Summary({ model, models, onSelect }: Props) {
  const note = useNote();
  const { phase, actionState, error } = useModelState(model);
  const main = { model, phase, actionState, failed: error !== null && phase !== "loaded" };
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3 wrap-anywhere">
      <p className="text-ink-2">{note(model)}</p>
      <Variants model={model} models={models} onSelect={onSelect} />
      {phase === "absent" ? null : (
        <div className="text-12">
          <StateCell model={model} phase={phase} />
        </div>
      )}
      {error ? <Problem model={model} error={error} actionState={actionState} /> : null}
      <DeviceWarning model={model} />
      <div className="flex gap-2">
        <Actions {...main} />
        <RowMenu {...main} />
      </div>
    </section>
  );
}

/** The variants of a model as one choice, with the size of the chosen one. */
function Variants({ model, models, onSelect }: Props) {
  const { t } = useTranslation("models");
  const format = useFormat();
  const name = useVariantName();
  const warning = useWarning()(model);
  const family = familyOf(
    model,
    models.filter((one) => one.supported),
  );
  if (family.length < 2) return null;
  return (
    <div>
      <span className="k-label">{t("variant")}</span>
      <SegmentedControl
        wide
        label={t("variant")}
        value={model.model_name}
        onChange={onSelect}
        segments={family.map((one) => ({ value: one.model_name, label: name(one) }))}
      />
      <p className="k-hint">
        {model.size_mb > 0 ? t("variantHint", { size: format.megabytes(model.size_mb) }) : t("sizeUnknown")}
      </p>
      {warning ? (
        <p className="mt-1 flex gap-1.5 text-12 text-warn" role="note">
          <TriangleAlert size={14} className="mt-0.5 flex-none" aria-hidden />
          {t("warned", { warning })}
        </p>
      ) : null}
    </div>
  );
}

function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[minmax(80px,auto)_minmax(0,1fr)] gap-x-4 gap-y-1.5">
      {facts
        .filter(([, value]) => value !== null && value !== "")
        .map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-3">{name}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
    </dl>
  );
}

const Title = ({ children }: { children: ReactNode }) => <h3 className="mb-2 font-semibold">{children}</h3>;

function Measured({ model }: { model: Model }) {
  const { t } = useTranslation("models");
  const format = useFormat();
  const speed = useSpeed();
  const system = useSystem().data;
  const reason = useFitsReason(system)(model, "fact");
  const { measured } = model.memory_mb;
  return (
    <section className="wrap-anywhere">
      <Title>{t("measured")}</Title>
      <Facts
        facts={[
          [t("fact.speed"), speed(model) || (model.downloaded ? t("fact.notYet") : null)],
          [
            t("fact.cores"),
            model.shape
              ? t("fact.coresUsed", { workers: model.shape.workers, count: Math.max(model.shape.threads, 1) })
              : null,
          ],
          [
            t("fact.memory"),
            measured !== null ? format.megabytes(measured) : model.downloaded ? t("fact.notYet") : null,
          ],
          [t("fact.fits"), reason],
          [
            t("fact.device"),
            model.device_warning
              ? t("fact.deviceAsked", {
                  device: deviceName(model.device),
                  requested: deviceName(model.device_requested),
                })
              : deviceName(model.device),
          ],
          [t("fact.lastUsed"), model.last_used_at ? format.ago(model.last_used_at) : null],
          [t("fact.unloads"), model.idle_unload_at ? format.time(model.idle_unload_at) : null],
        ]}
      />
    </section>
  );
}

function Licence({ model }: { model: Model }) {
  const { t } = useTranslation("models");
  const words = useLicenceWords();
  const short = useLicenceShort();
  const { license } = model;
  return (
    <section className="wrap-anywhere">
      <Title>{t("licence.heading")}</Title>
      <p className="font-medium">{isCard(model) ? short(model) : license.name || t("licence.unnamed")}</p>
      <p className="mt-1 text-ink-2">
        {words(model)}{" "}
        {isWebAddress(license.url) ? (
          <a href={license.url} target="_blank" rel="noreferrer" className="underline">
            {t("licence.read")}
          </a>
        ) : null}
      </p>
      {license.accept_required ? (
        <p className="mt-1 text-ink-3">{license.accepted ? t("licence.accepted") : t("licence.notYet")}</p>
      ) : null}
    </section>
  );
}

function Origin({ model }: { model: Model }) {
  const { t } = useTranslation("models");
  const format = useFormat();
  const languages = useLanguages();
  const { run } = useModelActions();
  const { phase, actionState } = useModelState(model);
  const [all, setAll] = useState(false);
  const names = model.languages.map(format.language);
  const onDisk = model.downloaded || model.state === "broken";
  return (
    <section className="wrap-anywhere">
      <Title>{t("origin")}</Title>
      <Facts
        facts={[
          [t("fact.engine"), engineName(model.engine)],
          [
            t("fact.languages"),
            names.length <= 2 ? (
              languages(model)
            ) : all ? (
              format.list(names)
            ) : (
              <button type="button" className="text-accent-text hover:underline" onClick={() => setAll(true)}>
                {languages(model)}
              </button>
            ),
          ],
          [t("fact.size"), model.size_mb > 0 ? format.megabytes(model.size_mb) : null],
          [t("fact.variant"), model.variant],
          [
            t("fact.source"),
            model.repo_id ? <bdi className="font-mono text-12">{model.repo_id}</bdi> : t("fact.imported"),
          ],
          [
            t("fact.revision"),
            model.revision ? (
              <bdi className="font-mono text-12" title={model.revision}>
                {model.revision.slice(0, 12)}
              </bdi>
            ) : null,
          ],
        ]}
      />
      {onDisk && phase !== "checking" ? (
        <Button
          size="small"
          className="mt-3"
          busy={actionState !== undefined && !actionState.error}
          onClick={() => void run(model, { action: "verify" })}
        >
          {t("action.verify")}
        </Button>
      ) : null}
    </section>
  );
}
