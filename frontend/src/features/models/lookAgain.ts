import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { keys } from "@/api/keys";

/** Asks for the list and the folder when the screen opens and when the window comes to the front: no event tells of files that went by another hand. */
export function useLookAgain(): void {
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
