import { useEffect } from "react";
import { href, useQueryParam, type Route } from "./router";

/** `draft` opens a draft in the view that it was saved in, `text` opens a script as a text. */
type Param = "draft" | "text";

/** Returns the address at which the Studio opens a draft. */
export const draftHref = (id: string): string => href("studio", [], { draft: id });
/** Returns the address at which the Studio shows a script as a text. */
export const textHref = (id: string): string => href("studio", [], { text: id });

/** Returns the draft that an address of the Studio names. */
export const draftIn = ({ query }: Route): string | null => query.get("draft") ?? query.get("text");

/** Opens the draft of the address, once per address; used by the Studio. */
export function useDraftFrom(param: Param, open: (id: string) => void): void {
  const [id, setId] = useQueryParam(param);
  useEffect(() => {
    if (id === "") return;
    setId("");
    open(id);
    // Once per address, although the callback may change meanwhile.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [id]);
}
