import { lazy, Suspense } from "react";
import { setScriptSource, useScriptSource } from "../state";

const ScriptDialog = lazy(() => import("./ScriptDialog"));

/** The dialog in which a transcript becomes a script; its code loads when it is first opened. */
export function MakeScript() {
  const id = useScriptSource();
  if (id === null) return null;
  return (
    <Suspense fallback={null}>
      <ScriptDialog key={id} id={id} onClose={() => setScriptSource(null)} />
    </Suspense>
  );
}
