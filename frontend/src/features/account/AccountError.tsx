import type { ReactNode } from "react";
import { toProblem, useErrorText } from "@/i18n/errors";
import { ErrorBox } from "@/ui";

/** An error in the words of this screen: what happened, and what to do on it. */
export function AccountError({ error, action }: { error: unknown; action?: ReactNode }) {
  const words = useErrorText(["account:errors"])(toProblem(error));
  return <ErrorBox error={error} words={words} action={action} />;
}
