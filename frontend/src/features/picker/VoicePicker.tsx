import { lazy, Suspense } from "react";
import type { VoicePickerProps } from "./props";

const PickerDialog = lazy(() => import("./PickerDialog"));

/** The dialog in which a voice is chosen. Its code and texts load when it is first opened. */
export function VoicePicker(props: VoicePickerProps) {
  return props.open ? (
    <Suspense fallback={null}>
      <PickerDialog {...props} />
    </Suspense>
  ) : null;
}
