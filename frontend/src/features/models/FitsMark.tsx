import type { Model, SystemInfo } from "@/api/types";
import { Tooltip } from "@/ui";
import { useFitsReason } from "./words";

const tones: Record<Model["fits"], string> = {
  yes: "text-ok",
  tight: "text-warn",
  no: "text-danger",
  unknown: "text-ink-3",
};

/** The shape has the same meaning as the colour: full, half, empty. */
function Dot({ fits }: { fits: Model["fits"] }) {
  return (
    <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden>
      {fits === "yes" ? (
        <circle cx="5" cy="5" r="4" fill="currentColor" />
      ) : (
        <circle cx="5" cy="5" r="3.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
      )}
      {fits === "tight" ? <path d="M5 1.5a3.5 3.5 0 0 1 0 7z" fill="currentColor" /> : null}
    </svg>
  );
}

/** Whether a model fits into the memory of this machine, with the reason on hover and for screen readers. */
export function FitsMark({ model, system }: { model: Model; system: SystemInfo | undefined }) {
  const reason = useFitsReason(system)(model);
  return (
    <Tooltip text={reason}>
      <span className={`inline-grid h-5 w-4 flex-none items-center justify-items-start ${tones[model.fits]}`}>
        <Dot fits={model.fits} />
        <span className="sr-only">{reason}</span>
      </span>
    </Tooltip>
  );
}
