import { CloudOff } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { HostedVoice } from "@/api/hosted";
import { HostedModelSelect, useCredits } from "@/features/hosted";
import {
  type Choice,
  chooseProvider,
  type Hosted,
  isHosted,
  useVoiceWords,
  type Voice,
} from "@/features/voices/library";
import { useFormat } from "@/i18n/format";
import { Button, ErrorBox, Select, ToAccount } from "@/ui";
import type { AddHosted } from "./useAddHosted";

/** Reports whether a voice can be chosen: a hosted one needs the service and a plan that includes it, a cloned one a sample. */
export const canUse = (voice: Voice): boolean =>
  isHosted(voice) ? voice.state === "ready" : voice.state !== "unusable";

/** The providers of a voice with their prices. The cheapest speaks until another one is chosen, which is remembered. */
function ProviderSelect({ of, choices }: { of: HostedVoice; choices: readonly Choice[] }) {
  const { t } = useTranslation("picker");
  const credits = useCredits();
  const labelOf = ({ provider, locked, credits_per_1000: price }: Choice): string => {
    if (locked) return t("hosted.providerLocked", { name: provider });
    return price === null
      ? `${provider} · ${credits(null)}`
      : t("hosted.providerPrice", { name: provider, credits: credits(price) });
  };
  return (
    <Select
      label={t("hosted.provider")}
      hideLabel
      title={t("hosted.providerHint")}
      value={of.id}
      choices={choices.map((one) => ({ value: one.id, label: labelOf(one), disabled: one.locked }))}
      onChange={(id) => {
        const chosen = choices.find((one) => one.id === id);
        if (chosen && !chosen.locked) chooseProvider(chosen);
      }}
    />
  );
}

/** That the service speaks a voice with espeak-ng, which sounds less natural than the models of its provider. */
function EngineNote({ of }: { of: HostedVoice | undefined }) {
  const { t } = useTranslation("picker");
  return of?.engine === "espeak-ng" ? <span className="text-12 text-ink-2">{t("hosted.espeak")}</span> : null;
}

/** The footer of a hosted voice: why it cannot be used, else the models of its provider, and what speaks it. */
export function HostedChoice({ voice, adding }: { voice: Voice; adding: AddHosted }) {
  const words = useVoiceWords();
  if (adding.error) return <ErrorBox error={adding.error} />;
  if (!canUse(voice))
    return (
      <span className="flex flex-wrap items-center gap-2 text-12 text-ink-2">
        {words.line(voice)}
        <ToAccount />
        <EngineNote of={voice.hosted} />
      </span>
    );
  if (!voice.hosted || !voice.offered) return <EngineNote of={voice.hosted} />;
  const of = voice.hosted;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {voice.choices ? <ProviderSelect of={of} choices={voice.choices} /> : null}
      <HostedModelSelect
        voice={of}
        value={adding.modelOf(of)}
        onChange={(model) => adding.setModel(of, model)}
        isInline
      />
      <EngineNote of={of} />
    </div>
  );
}

/** Above the rows: that the list is an older one, could not be loaded, or needs a sign-in. */
export function HostedNote({ hosted, isAsked }: { hosted: Hosted; isAsked: boolean }) {
  const { t } = useTranslation("picker");
  const format = useFormat();
  const isOut = isAsked && (hosted.access === "signedOut" || hosted.access === "off");
  if (!isOut && !hosted.stale && !hosted.error) return null;
  return (
    <div
      className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-1.5 text-12 text-ink-2"
      role="status"
    >
      <CloudOff size={14} aria-hidden />
      <span className="min-w-0 flex-1">
        {isOut
          ? t("empty.signedOut")
          : hosted.stale && hosted.fetchedAt
            ? t("hosted.stale", { when: format.dateTime(hosted.fetchedAt) })
            : t("hosted.failed")}
      </span>
      {isOut ? (
        <ToAccount />
      ) : (
        <Button size="small" onClick={() => void hosted.refetch()}>
          {t("common:retry")}
        </Button>
      )}
    </div>
  );
}
