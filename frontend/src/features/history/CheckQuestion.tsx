import { ModelQuestion } from "@/features/picker";
import { setModelNeed, setProblem, useModelNeed } from "./state";
import { useCheck } from "./useCheck";

/** The question before the model that checks speech is downloaded, and checks once it is there. */
export function CheckQuestion() {
  const need = useModelNeed();
  const { check } = useCheck();
  return (
    <ModelQuestion
      model={need?.model ?? null}
      use="check"
      onClose={() => setModelNeed(null)}
      onReady={() => void (need && check(need.ids).catch(setProblem))}
    />
  );
}
