import { AwaitedVoice, VoicePicker } from "@/features/picker";
import type { Store } from "@/lib/store";
import type { GenerationFlow } from "./generation/useGenerationFlow";
import { useSpeakAs } from "./generation/useSpeakAs";
import { place, type VoiceChoice } from "./useVoiceChoice";

interface Props {
  voice: VoiceChoice;
  flow: GenerationFlow;
  /** The number of the open text, and its length. */
  opened: number;
  length: Store<number>;
}

/** The picker of a voice, and what is said of one that is being downloaded. */
export function VoiceDialogs({ voice, flow, opened, length }: Props) {
  const { profile, isPicking, choose } = voice;
  const setSpeakAs = useSpeakAs(profile?.id, flow);
  return (
    <>
      <AwaitedVoice
        place={place}
        value={profile?.id}
        isPicking={isPicking}
        onChoose={(next, { speakAgain, speakText }) => {
          choose(next.id);
          const isSame = speakAgain !== undefined && speakAgain === flow.generation?.id;
          if (isSame || (speakText === opened && length.get() > 0)) setSpeakAs(next.id);
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
