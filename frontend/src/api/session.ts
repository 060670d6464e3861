import { navigate } from "@/lib/router";
import { createStore, useStore } from "@/lib/store";

export interface Session {
  /** The base URL of the API; empty for the server of this page. */
  base: string;
  token: string;
  state: "opening" | "ready" | "needs-token";
  /** Why a token is requested: it is missing, wrong, or was valid until the program restarted. */
  reason: "none" | "wrong" | "changed";
  /** Reports whether this is the desktop window. */
  desktop: boolean;
}

/** The desktop shell, as far as all of the page uses it; see app/desktop_dialogs.go. */
interface Bridge {
  Address(): Promise<{ url: string; token: string }>;
  /** Saves a generation where the person chooses; empty when no file was chosen. */
  SaveAudio?(id: string, format: string, exportId: string): Promise<string>;
  /** Saves a response of the local API where the person chooses; empty when no file was chosen. */
  SaveAnswer?(name: string, method: string, path: string, body: string): Promise<string>;
  SaveText?(name: string, text: string): Promise<string>;
  /** Shows a file of the library in the file manager. */
  ShowFile?(path: string): Promise<void>;
  /** Copies a file of the library to the clipboard. */
  CopyFile?(path: string): Promise<void>;
  /** Sets the size of the page, and reports whether the web view can. */
  SetZoom?(factor: number): Promise<boolean>;
  /** Returns the files that were opened with the window; each can be read once. */
  HandedFiles?(): Promise<{ id: string; name: string }[] | null>;
  /** Lets the person choose a text file, which then is among `HandedFiles`. */
  OpenText?(): Promise<void>;
}

declare global {
  interface Window {
    go?: { desktop?: { Bridge?: Bridge } };
    runtime?: {
      BrowserOpenURL?(url: string): void;
      EventsOn?(event: string, listener: (text?: string) => void): () => void;
    };
  }
}

const tokenKey = "voicewright.token";
const store = createStore<Session>({ base: "", token: "", state: "opening", reason: "none", desktop: false });
let worked: string | null = null; // the last token that the server accepted

/** Moves a token from the address to the session, so that it is in no bookmark and no browser history. */
function takeFromAddress(): string {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (!token) return "";
  sessionStorage.setItem(tokenKey, token);
  navigate(location.pathname + location.search, { replace: true });
  return token;
}

export const session = {
  get: store.get,
  subscribe: store.subscribe,

  /** Determines address and token; whether a token is needed shows with the first refused request. */
  async open(): Promise<void> {
    const bridge = window.go?.desktop?.Bridge;
    if (bridge) {
      const { url, token } = await bridge.Address();
      store.set({ base: url, token, state: "ready", reason: "none", desktop: true });
      return;
    }
    const token = takeFromAddress() || (sessionStorage.getItem(tokenKey) ?? "");
    store.set({ base: "", token, state: "ready", reason: "none", desktop: false });
    window.addEventListener("hashchange", () => {
      const given = takeFromAddress();
      if (given) session.give(given);
    });
  },

  give(token: string): void {
    sessionStorage.setItem(tokenKey, token);
    store.set((s) => ({ ...s, token, state: "ready", reason: "none" }));
  },

  /** Tries a token that a person typed, and uses it if the server accepts it. */
  async offer(token: string): Promise<"taken" | "wrong" | "unreachable"> {
    const answer = await fetch(`${store.get().base}/settings`, { headers: { Authorization: `Bearer ${token}` } }).catch(
      () => null,
    );
    if (!answer) return "unreachable";
    if (answer.status === 401) return "wrong";
    session.give(token);
    return "taken";
  },

  /** The server accepted this token for its events, which always require one. */
  accept(token: string): void {
    worked = token;
  },

  /** The server refused this token; a response to an older token says nothing about the current one. */
  refuse(token: string): void {
    const now = store.get();
    if (token !== now.token || now.state === "needs-token") return; // requests without a token change nothing
    sessionStorage.removeItem(tokenKey);
    store.set((s) => ({
      ...s,
      token: "",
      state: "needs-token",
      reason: token === worked ? "changed" : token ? "wrong" : "none",
    }));
  },
};

export function useSession(): Session {
  return useStore(store);
}

/** Opens an external address: in the system's browser when this is the desktop window. */
export function openOutside(url: string): void {
  if (window.runtime?.BrowserOpenURL) window.runtime.BrowserOpenURL(url);
  else window.open(url, "_blank", "noopener");
}
