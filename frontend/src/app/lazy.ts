import { lazy } from "react";

/** The gallery of the kit; only the dev server has it. */
export const Gallery = lazy(() =>
  import.meta.env.DEV ? import("@/ui/Gallery") : Promise.reject(new Error("only in dev")),
);
