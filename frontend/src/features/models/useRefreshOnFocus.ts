import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { keys } from "@/api/keys";

/** Refetches models when the screen opens and when the window gets the focus: no event reports files that another program removed. */
export function useRefreshOnFocus(): void {
  const client = useQueryClient();
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === "visible") void client.invalidateQueries({ queryKey: keys.models });
    };
    look();
    window.addEventListener("focus", look);
    document.addEventListener("visibilitychange", look);
    return () => {
      window.removeEventListener("focus", look);
      document.removeEventListener("visibilitychange", look);
    };
  }, [client]);
}
