import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Profile } from "@/api/types";
import { useCommands } from "@/lib/commands";
import { useDropTarget } from "@/lib/dropTarget";
import { href, navigate, useQueryParam, useRoute } from "@/lib/router";
import { useInspector } from "@/lib/slots";
import { type Filters, noFilters, useVoices } from "./library";
import { stopPreview } from "@/player";
import { useIsWide } from "@/lib/media";
import { Button, ErrorBox, FileInput, Skeleton } from "@/ui";
import { useVoiceActions } from "./actions";
import { mixable, type Source } from "./draft";
import { NewVoice } from "./NewVoice";
import { VoicePicker } from "@/features/picker";
import { VoiceBrowser } from "./VoiceBrowser";
import { RecordingWizard } from "./RecordingWizard";
import { ImportConsent } from "./samples/ImportConsent";
import { TopActions } from "./TopActions";
import { VoiceInspector } from "./VoiceInspector";

const hostedOnly = { where: ["hosted"] };
const show = (profile: Pick<Profile, "id">) => navigate(href("voices", [profile.id]), { replace: true });

function Loading() {
  return (
    <div className="grid gap-3 p-4">
      {[1, 2, 3, 4].map((i) => (
        <Skeleton key={i} className="h-11" />
      ))}
    </div>
  );
}

export default function Voices() {
  const { t } = useTranslation("voices");
  const selected = useRoute().segments[0];
  const [showAll, setAll] = useQueryParam("all");
  const [filters, setFilters] = useState<Filters>(noFilters);
  const [creating, setCreating] = useState<Source | null>(null);
  const [isPicking, setPicking] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const [, setNew] = useQueryParam("new");
  const { voices, models, isLoading, error, refetch } = useVoices({ unusable: showAll === "1" ? "all" : "cloned" });
  const actions = useVoiceActions(show);
  const wide = useIsWide();
  const { setOpen: setInspector } = useInspector();
  useEffect(() => stopPreview, []);
  useDropTarget(t("drop"), ([dropped]) => {
    if (dropped) actions.bring(dropped);
  });
  const voice = voices.find((one) => one.profile.id === selected);
  const canMix = mixable(voices).length > 1;
  const choose = () => file.current?.click();
  useCommands([
    { id: "voices:new", title: t("new.title"), shortcut: "n", run: () => setCreating("preset") },
    { id: "voices:record", title: t("newRecording"), run: () => setNew("recording") },
    ...(canMix ? [{ id: "voices:mix", title: t("newMix"), run: () => setCreating("mix") }] : []),
    { id: "voices:hosted", title: t("newHosted"), run: () => setPicking(true) },
    { id: "voices:import", title: t("import"), run: choose },
    { id: "voices:restore", title: t("restore"), run: actions.restore },
  ]);
  function made(profile: Profile): void {
    setCreating(null);
    setFilters(noFilters);
    show(profile);
    if (wide) setInspector(true);
  }
  const instead = error ? (
    <div className="p-4">
      <ErrorBox
        error={error}
        action={
          <Button size="small" onClick={() => void refetch()}>
            {t("common:retry")}
          </Button>
        }
      />
    </div>
  ) : isLoading ? (
    <Loading />
  ) : null;
  return (
    <div className="flex min-h-0 flex-col">
      <TopActions
        canMix={canMix}
        all={showAll === "1"}
        isImporting={actions.isImporting}
        onNew={(source) => (source === "recording" ? setNew("recording") : setCreating(source))}
        onImport={choose}
        onRestore={actions.restore}
        onAll={(all) => setAll(all ? "1" : "")}
      />
      <FileInput
        ref={file}
        label={t("import")}
        accept=".zip,application/zip"
        onChoose={([chosen]) => actions.bring(chosen)}
      />
      <VoiceBrowser
        voices={voices}
        models={models}
        selected={selected}
        filters={filters}
        onFilters={setFilters}
        actions={actions}
        onShow={({ profile }) => show(profile)}
        onNew={() => setCreating("preset")}
        instead={instead}
      />
      {voice ? <VoiceInspector voice={voice} voices={voices} actions={actions} /> : null}
      <ImportConsent actions={actions} />
      <RecordingWizard voice={voice} onSaved={made} />
      {creating ? (
        <NewVoice
          source={creating}
          voices={voices}
          models={models}
          onClose={() => setCreating(null)}
          onMade={made}
          onRecording={() => {
            setCreating(null);
            setNew("recording");
          }}
          onHosted={() => {
            setCreating(null);
            setPicking(true);
          }}
        />
      ) : null}
      <VoicePicker open={isPicking} onClose={() => setPicking(false)} filters={hostedOnly} onChoose={made} />
    </div>
  );
}
