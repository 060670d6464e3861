import { useEffect, useEffectEvent } from "react";
import { useBook } from "@/api/books";
import { continueWaiting, useWaitingBook } from "./listening";

/** Lets a book that is heard go on as soon as there is audio of what follows, whatever screen is shown. */
export function Listening() {
  const waiting = useWaitingBook();
  return waiting === undefined ? null : <Waiting key={waiting} id={waiting} />;
}

function Waiting({ id }: { id: string }) {
  const { data, dataUpdatedAt } = useBook(id);
  const onBook = useEffectEvent(() => data && continueWaiting(data));
  useEffect(() => void onBook(), [dataUpdatedAt]);
  return null;
}
