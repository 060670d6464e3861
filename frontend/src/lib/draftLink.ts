import { useEffect } from "react";
import { href, useQueryParam } from "./router";

const param = "draft";

/** Returns the address at which the Studio opens a draft. */
export const draftHref = (id: string): string => href("studio", [], { [param]: id });

/** Opens the draft of the address, once per address; used by the Studio. */
export function useDraftFrom(open: (id: string) => void): void {
  const [id, setId] = useQueryParam(param);
  useEffect(() => {
    if (id === "") return;
    setId("");
    open(id);
    // Once per address, although the callback may change meanwhile.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [id]);
}
