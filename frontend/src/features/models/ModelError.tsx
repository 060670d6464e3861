import type { ReactNode } from "react";
import type { ApiError } from "@/api/errors";
import { ErrorBox } from "@/ui";
import { useModelErrorText } from "./words";

/** An ErrorBox with the texts that the rows of models use. */
export function ModelError({ error, action }: { error: ApiError; action?: ReactNode }) {
  return <ErrorBox error={error} words={useModelErrorText()(error)} action={action} />;
}
