import { useState, type ReactNode } from "react";
import { useFindVerifier } from "@/api/models";
import { usePutSettings } from "@/api/settings";
import type { ApiError } from "@/api/errors";
import { ModelQuestion } from "@/features/picker";

export const verifyKey = "speech.verify";

interface Verify {
  put: ReturnType<typeof usePutSettings>;
  /** Why the model could not be found. */
  error: ApiError | null;
  /** Turns the check off, or on; a model that is missing and that nobody named is asked for first. */
  choose(on: boolean): void;
  question: ReactNode;
}

/** Whether audio is checked, and the question before the model for it is downloaded. */
export function useVerify(): Verify {
  const put = usePutSettings();
  const find = useFindVerifier();
  const [missing, setMissing] = useState<string | null>(null);
  const save = (on: boolean) => put.mutate({ [verifyKey]: on });
  function choose(on: boolean): void {
    find.reset();
    if (!on) return save(false);
    find.mutate(undefined, {
      onSuccess: (model) => (model.downloaded || model.named ? save(true) : setMissing(model.model_name)),
    });
  }
  return {
    put,
    error: find.error,
    choose,
    question: <ModelQuestion model={missing} use="check" onClose={() => setMissing(null)} onReady={() => save(true)} />,
  };
}
