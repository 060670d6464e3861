import type { Profile } from "@/api/types";
import type { Filters } from "@/features/voices/library";

export interface VoicePickerProps {
  open: boolean;
  onClose(): void;
  /** Where the voice is used: a voice whose model is still being downloaded when the picker closes is chosen there later. */
  place?: string | undefined;
  /** The id of the profile in use. */
  value?: string | undefined;
  /** The filters at the beginning. */
  filters?: Partial<Filters> | undefined;
  /** Called with the chosen voice; the picker closes by itself. */
  onChoose(profile: Profile): void;
}
