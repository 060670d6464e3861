import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { ApiError } from "@/api/errors";
import { useModelErrorText } from "./words";

/** As ErrorBox, in the words that the rows of models have: one failure is called the same everywhere here. */
export function ModelError({ error, action }: { error: ApiError; action?: ReactNode }) {
  const { title, remedy } = useModelErrorText()(error);
  return (
    <div className="k-error" role="alert">
      <TriangleAlert size={16} aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{title}</p>
        <p className="text-ink-2">{remedy}</p>
      </div>
      {action}
    </div>
  );
}
