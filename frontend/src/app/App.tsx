import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { followEvents } from "@/api/events";
import { useSession } from "@/api/session";
import { listenForShortcuts } from "@/lib/commands";
import { connectMediaSession, connectOutput } from "@/player";
import { DropGuard } from "./dropGuard";
import { listenToMenu } from "./menu";
import { keepZoom } from "./zoom";
import { Frame } from "./Frame";
import { TokenScreen } from "./TokenScreen";

export function App() {
  const { state, token } = useSession();
  const client = useQueryClient();
  useEffect(() => {
    if (state !== "ready") return;
    const stop = new AbortController();
    // Refused with the old token.
    void client.invalidateQueries({ predicate: (query) => query.state.status === "error" });
    void followEvents(client, stop.signal);
    return () => stop.abort();
  }, [state, token, client]);
  useEffect(listenForShortcuts, []);
  useEffect(listenToMenu, []);
  useEffect(connectMediaSession, []);
  useEffect(connectOutput, []);
  useEffect(keepZoom, []);
  if (state === "opening") return null;
  return (
    <>
      <Frame />
      <DropGuard />
      {state === "needs-token" ? <TokenScreen /> : null}
    </>
  );
}
