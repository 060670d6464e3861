import { TriangleAlert } from "lucide-react";
import type { Model } from "@/api/types";
import { toProblem, useErrorText } from "@/i18n/errors";

/** Why a loaded model runs on the processor in place of the graphics card that was asked for. */
export function DeviceWarning({ model }: { model: Model }) {
  const words = useErrorText();
  if (!model.loaded || !model.device_warning) return null;
  const { title, remedy } = words(toProblem(model.device_warning));
  return (
    <p className="flex gap-1.5 text-12 text-warn" role="note">
      <TriangleAlert size={14} className="mt-0.5 flex-none" aria-hidden />
      <span className="min-w-0 wrap-anywhere">
        {title} {remedy}
      </span>
    </p>
  );
}
