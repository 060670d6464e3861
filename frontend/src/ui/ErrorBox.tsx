import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { toApiError } from "@/api/errors";
import { useErrorText } from "@/i18n/errors";

/** What went wrong in the person's language, what to do about it, and the remedy as a button where it can be one. */
export function ErrorBox({ error, action }: { error: unknown; action?: ReactNode }) {
  const words = useErrorText();
  const { title, remedy } = words(toApiError(error));
  return (
    <div className="k-error" role="alert">
      <TriangleAlert size={16} aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{title}</p>
        {remedy ? <p className="text-ink-2">{remedy}</p> : null}
      </div>
      {action}
    </div>
  );
}
