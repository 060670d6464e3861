import { missingModel } from "@/api/errors";
import { useRerunTranscript, type Rerun } from "@/api/transcriptions";
import { setModelNeed } from "./state";

/** Transcribes again. Where the model is missing, `run` succeeds too: a dialog asks then. */
export function useRerun() {
  const rerun = useRerunTranscript();
  const run = async (part: Rerun): Promise<void> => {
    try {
      await rerun.mutateAsync(part);
    } catch (thrown) {
      const model = missingModel(thrown);
      if (model === null) throw thrown;
      setModelNeed({ model, rerun: part });
      rerun.reset();
    }
  };
  return { run, error: rerun.error, isPending: rerun.isPending };
}
