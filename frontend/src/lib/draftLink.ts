import { useEffect } from "react";
import { href, useQueryParam } from "./router";

const param = "draft";

/** The address at which the Studio opens a draft of its own. */
export const draftHref = (id: string): string => href("studio", [], { [param]: id });

/** Opens the draft that the address names, once for each address; the Studio uses it. */
export function useDraftFrom(open: (id: string) => void): void {
  const [id, setId] = useQueryParam(param);
  useEffect(() => {
    if (id === "") return;
    setId("");
    open(id);
    // Once for each address; what it is done with may change meanwhile.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [id]);
}
