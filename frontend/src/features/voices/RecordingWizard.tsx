import { useTranslation } from "react-i18next";
import { deleteRecording } from "@/api/recordings";
import type { Sound } from "@/api/samples";
import type { Profile } from "@/api/types";
import { useQueryParam } from "@/lib/router";
import { createStore, useStore } from "@/lib/store";
import { useUndo } from "@/ui";
import type { Voice } from "./library";
import { VoiceFromRecording } from "./recording";

/** The recording with which the wizard opens again after its closing was undone. */
const restored = createStore<Sound | null>(null);

/**
 * The wizard while the address asks for it: `?new=recording` makes a voice, `?new=sample` adds a sample to the selected
 * one. What the microphone recorded is deleted when it is closed, which can be undone.
 */
export function RecordingWizard({ voice, onSaved }: { voice: Voice | undefined; onSaved(profile: Profile): void }) {
  const { t } = useTranslation("voices");
  const [asked, setAsked] = useQueryParam("new");
  const [model] = useQueryParam("model");
  const initial = useStore(restored);
  const undo = useUndo();
  const addTo = asked === "sample" && voice?.profile.voice_type === "cloned" ? voice.profile : undefined;
  if (asked !== "recording" && !addTo) return null;
  function close(unused: Sound | null): void {
    restored.set(null);
    setAsked("");
    if (unused?.kind !== "recording") return;
    undo({
      text: t("recordingDiscarded"),
      undo: () => {
        restored.set(unused);
        setAsked(asked);
      },
      commit: () => void deleteRecording(unused.id).catch(() => undefined), // it is deleted after a day
    });
  }
  return (
    <VoiceFromRecording
      {...(initial ? { initial } : {})}
      {...(model ? { model } : {})}
      {...(addTo ? { addTo } : {})}
      onClose={close}
      onSaved={(profile) => {
        restored.set(null);
        setAsked("");
        onSaved(profile);
      }}
    />
  );
}
