import { lazy, Suspense } from "react";
import { Skeleton } from "@/ui";
import type { TakeRowsProps } from "./takes/TakeRows";

const TakeRows = lazy(() => import("./takes/TakeRows"));

/** The takes of a chunk: each can be heard and chosen, and two are compared at the same second. */
export function TakeList(props: TakeRowsProps) {
  return (
    <Suspense fallback={<Skeleton className="h-15" />}>
      <TakeRows key={`${props.generation.audio_path}:${props.chunk}`} {...props} />
    </Suspense>
  );
}
