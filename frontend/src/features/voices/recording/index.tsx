import { lazy, Suspense } from "react";
import type { WizardProps } from "./Wizard";

const Wizard = lazy(() => import("./Wizard"));

/** The wizard "From a recording". Its code and texts load when it is first opened. */
export function VoiceFromRecording(props: WizardProps) {
  return (
    <Suspense fallback={null}>
      <Wizard {...props} />
    </Suspense>
  );
}
