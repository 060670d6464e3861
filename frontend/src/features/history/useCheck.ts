import { missingModel } from "@/api/errors";
import { useVerifyGenerations } from "@/api/history";
import { setModelNeed } from "./state";

/** Checks generations. `check` returns whether that has begun: where the model is missing, a dialog asks first. */
export function useCheck() {
  const verify = useVerifyGenerations();
  const check = async (ids: readonly string[]): Promise<boolean> => {
    try {
      await verify.mutateAsync([...ids]);
      return true;
    } catch (thrown) {
      const model = missingModel(thrown);
      if (model === null) throw thrown;
      setModelNeed({ model, ids });
      verify.reset();
      return false;
    }
  };
  return { check, error: verify.error, isPending: verify.isPending };
}
