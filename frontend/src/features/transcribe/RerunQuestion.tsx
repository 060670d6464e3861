import { ModelQuestion } from "@/features/picker";
import { setModelNeed, setProblem, useModelNeed } from "./state";
import { useRerun } from "./useRerun";

/** The question before the model of a transcript is downloaded, and transcribes again once it is there. */
export function RerunQuestion() {
  const need = useModelNeed();
  const { run } = useRerun();
  return (
    <ModelQuestion
      model={need?.model ?? null}
      use="transcribe"
      onClose={() => setModelNeed(null)}
      onReady={() => void (need && run(need.rerun).catch(setProblem))}
    />
  );
}
