import { Mic } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { toApiError, type ApiError } from "@/api/errors";
import { recorder, useRecording, useRecordingDevices } from "@/api/recordings";
import { Button, ErrorBox, Popover, Select } from "@/ui";
import { useTranscribers } from "./models";

/** Chooses a microphone and starts a recording. */
function Panel({ onStarted }: { onStarted(): void }) {
  const { t } = useTranslation("transcribe");
  const devices = useRecordingDevices(true);
  const { chosen, isLoading } = useTranscribers();
  const [device, setDevice] = useState("");
  const [isStarting, setStarting] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const list = devices.data ?? [];
  async function start() {
    setStarting(true);
    setError(null);
    try {
      await recorder.start(device);
      onStarted();
    } catch (thrown) {
      setError(toApiError(thrown));
      setStarting(false);
    }
  }
  const problem = error ?? devices.error;
  return (
    <>
      {problem ? <ErrorBox error={problem} /> : null}
      {devices.data && list.length === 0 ? <p role="status">{t("record.none")}</p> : null}
      <Select
        label={t("record.device")}
        value={device}
        choices={[
          { value: "", label: t("record.defaultDevice") },
          ...list.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={setDevice}
      />
      {chosen || isLoading ? null : <p className="text-12 text-ink-3">{t("record.needsModel")}</p>}
      <Button
        icon={<Mic size={16} aria-hidden />}
        busy={isStarting}
        disabled={!chosen || list.length === 0}
        onClick={() => void start()}
      >
        {t("record.start")}
      </Button>
    </>
  );
}

export function RecordButton() {
  const { t } = useTranslation("transcribe");
  const [isOpen, setOpen] = useState(false);
  const recording = useRecording();
  useEffect(() => void recorder.reopen(), []);
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <Button aria-label={t("record.open")} icon={<Mic size={16} aria-hidden />} disabled={recording !== null}>
          <span className="@max-[860px]/main:hidden">{t("record.open")}</span>
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="k-float grid w-80 gap-4 p-4"
          align="end"
          sideOffset={4}
          collisionPadding={8}
          aria-label={t("record.title")}
        >
          <Panel onStarted={() => setOpen(false)} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
