import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ApiError } from "@/api/errors";
import { useDescribedSettings, usePutSettings, useSettings } from "@/api/settings";
import { secondsOf } from "@/lib/durations";
import { retentionKey, useRetention } from "@/features/retention";
import { useFormat } from "@/i18n/format";
import { ErrorBox, SavedField, Select, Switch } from "@/ui";
import type { ControlProps } from "./controlProps";
import { DeviceReasons, DeviceSelect, deviceKeys } from "./DeviceSelect";
import { durationChoices, durationWords } from "./durations";
import { hasEffect } from "./entries";
import { SettingRow, useRowWords, useSearching } from "./SettingRow";
import { TranscriberSelect, transcriberKeys } from "./TranscriberSelect";
import { useVerify, verifyKey } from "./useVerify";
import { VoiceSelect } from "./VoiceSelect";

function EnumControl({ info, value, label, onSet }: ControlProps) {
  const { t } = useTranslation("settings");
  const choices = (info.values ?? [value]).map((choice) => ({
    value: choice,
    label: t(`values.${info.key}.${choice}`, { defaultValue: choice }),
  }));
  return <Select className="w-56" label={label} hideLabel value={value} choices={choices} onChange={onSet} />;
}

export function TextControl({ info, value, label, error, onSet }: ControlProps) {
  const { t } = useTranslation("settings");
  return (
    <SavedField
      className="w-56"
      label={label}
      hideLabel
      value={value}
      placeholder={String(info.default) || t(`placeholders.${info.key}`, { defaultValue: info.range })}
      error={error}
      dir="ltr"
      onSave={onSet}
    />
  );
}

function BooleanControl({ value, label, onSet }: ControlProps) {
  return <Switch label={label} checked={value === "true"} onChange={onSet} />;
}

const other = "other";

function DurationControl(props: ControlProps) {
  const { info, value, label, onSet } = props;
  const { t } = useTranslation("settings");
  const format = useFormat();
  const [free, setFree] = useState(false);
  if (free)
    return (
      <TextControl
        {...props}
        error={props.error ? t("durationHint") : undefined}
        onSet={(next) => {
          onSet(next);
          setFree(false);
        }}
      />
    );
  const words = (choice: string) =>
    choice === "0" || choice === "-1"
      ? t(`values.${info.key}.${choice}`, { defaultValue: t(`values.${choice}`) })
      : durationWords(choice, format);
  const offered = durationChoices(info.key, info.range, value);
  const chosen = offered.find((choice) => secondsOf(choice) === secondsOf(value)) ?? value;
  const choices = [
    ...offered.map((choice) => ({ value: choice, label: words(choice) })),
    { value: other, label: t("otherDuration") },
  ];
  return (
    <Select
      className="w-56"
      label={label}
      hideLabel
      value={chosen}
      choices={choices}
      onChange={(next) => (next === other ? setFree(true) : onSet(next))}
    />
  );
}

function Control(props: ControlProps) {
  if (props.info.key === "speech.default_voice") return <VoiceSelect {...props} />;
  if (deviceKeys.includes(props.info.key)) return <DeviceSelect {...props} />;
  if (transcriberKeys.includes(props.info.key)) return <TranscriberSelect {...props} />;
  if (props.info.type === "boolean") return <BooleanControl {...props} />;
  if (props.info.type === "enum") return <EnumControl {...props} />;
  if (props.info.type === "duration") return <DurationControl {...props} />;
  return <TextControl {...props} />;
}

interface RowProps {
  name: string;
  put: ReturnType<typeof usePutSettings>;
  /** An error before the change was requested. */
  error?: ApiError | null;
  onSet(value: string | boolean): void;
}

/** One setting of the server by its type; a change applies at once, a refused one is reverted with the reason. */
function Row({ name, put, error = put.error, onSet }: RowProps) {
  const { t } = useTranslation("settings");
  const info = useDescribedSettings().data?.[name];
  const values = useSettings().data;
  const words = useRowWords()(name, info?.description);
  const searching = useSearching();
  if (!info || !(searching || hasEffect(name, values))) return null;
  const value = String(values?.[name] ?? info.default);
  const refused = error?.field(name);
  const said = refused ? t(`refused.${name}`, { defaultValue: refused.msg }) : undefined;
  const isChosen = name === "speech.default_voice" || transcriberKeys.includes(name);
  const inField = (info.type === "string" || info.type === "number") && !isChosen;
  return (
    <SettingRow
      id={name}
      english={info.description}
      onReset={value === String(info.default) ? undefined : () => put.mutate({ [name]: null })}
      below={
        <>
          {said && !inField ? (
            <p className="mt-2 text-12 text-danger" role="alert">
              {said}
            </p>
          ) : null}
          {deviceKeys.includes(name) ? <DeviceReasons name={name} /> : null}
          {error && !refused ? (
            <div className="mt-2">
              <ErrorBox error={error} />
            </div>
          ) : null}
        </>
      }
    >
      <Control info={info} value={value} label={words.title} error={inField ? said : undefined} onSet={onSet} />
    </SettingRow>
  );
}

function PlainRow({ name }: { name: string }) {
  const put = usePutSettings();
  return <Row name={name} put={put} onSet={(next) => put.mutate({ [name]: next })} />;
}

/** A shorter retention deletes, so it asks first; the default, to which it can be reset, is the longest. */
function RetentionRow() {
  const { put, choose, question } = useRetention();
  return (
    <>
      <Row name={retentionKey} put={put} onSet={(next) => choose(String(next))} />
      {question}
    </>
  );
}

/** Checking audio needs a model, whose download is asked for first. */
function VerifyRow() {
  const { put, error, choose, question } = useVerify();
  return (
    <>
      <Row name={verifyKey} put={put} error={error ?? put.error} onSet={(next) => choose(next === true)} />
      {question}
    </>
  );
}

export function ServerRow({ name }: { name: string }) {
  if (name === retentionKey) return <RetentionRow />;
  return name === verifyKey ? <VerifyRow /> : <PlainRow name={name} />;
}
