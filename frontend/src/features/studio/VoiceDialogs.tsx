import { AwaitedVoice, VoicePicker } from "@/features/picker";
import type { GenerationFlow } from "./generation/useGenerationFlow";
import { useSpeakAs } from "./generation/useSpeakAs";
import { place, type VoiceChoice } from "./useVoiceChoice";

/** The picker of a voice, and what is said of one that is being downloaded. */
export function VoiceDialogs({ voice, flow }: { voice: VoiceChoice; flow: GenerationFlow }) {
  const { profile, isPicking, choose } = voice;
  const setSpeakAs = useSpeakAs(profile?.id, flow);
  return (
    <>
      <AwaitedVoice
        place={place}
        value={profile?.id}
        isPicking={isPicking}
        onChoose={(next, { speakAgain }) => {
          choose(next.id);
          if (speakAgain !== undefined && speakAgain === flow.generation?.id) setSpeakAs(next.id);
        }}
      />
      <VoicePicker
        open={isPicking}
        onClose={voice.closePicker}
        place={place}
        value={profile?.id ?? ""}
        onChoose={(next) => {
          choose(next.id);
          voice.closePicker();
        }}
      />
    </>
  );
}
