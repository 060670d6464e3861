import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { toProblem, useErrorText, type ErrorWords } from "@/i18n/errors";
import { AccountLink } from "./AccountLink";
import { InstallLink } from "./InstallLink";

interface Props {
  error: unknown;
  /** A button or link that resolves the error. */
  action?: ReactNode;
  /** Text that replaces that of the error code. */
  words?: ErrorWords;
}

/** An error: what happened, what to do, and an action where one exists. */
export function ErrorBox({ error, action, words }: Props) {
  const textOf = useErrorText();
  const problem = toProblem(error);
  const { title, remedy } = words ?? textOf(problem);
  return (
    <div className="k-error" role="alert">
      <TriangleAlert size={16} aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{title}</p>
        {remedy ? <p className="text-ink-2">{remedy}</p> : null}
      </div>
      <AccountLink code={problem.code} />
      <InstallLink code={problem.code} params={problem.params} />
      {action}
    </div>
  );
}
