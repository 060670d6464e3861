import { X } from "lucide-react";
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type ReactNode,
} from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "./Button";
import { useFocusOnRemoval } from "./focusOnRemoval";
import { useUndoKey } from "./undoKey";

interface Toast {
  text: ReactNode;
  action?: { label: string; run(): void };
}
interface Undo {
  text: ReactNode;
  /** Restores what the person sees. */
  undo(): void;
  /** Makes the change permanent: when the undo bar ends, is closed, or the window closes. Send with keepalive. */
  commit(): void;
}
interface Shown extends Toast {
  id: number;
  time: number;
  end?: () => void;
  takeBack?: () => void;
}

interface Api {
  toast(toast: Toast): void;
  undo(undo: Undo): void;
}
const Context = createContext<Api | null>(null);

export const undoTime = 10_000;
const toastTime = 5_000;

function useApi(): Api {
  const api = useContext(Context);
  if (!api) throw new Error("ToastsProvider is missing");
  return api;
}

/** `toast({ text })`: a short message of success. Errors are shown in an ErrorBox where they happen. */
export const useToast = () => useApi().toast;

/** `undo({ text, undo, commit })`: hide the item first, then call this; the person can undo for 10 s. */
export const useUndo = () => useApi().undo;

const mostToasts = 4;

/** Drops the oldest toasts when there are too many; those that offer undo stay until they end. */
function limitToasts(list: Shown[]): Shown[] {
  const plain = list.filter((toast) => !toast.takeBack);
  const dropped = new Set(plain.slice(0, Math.max(0, plain.length - mostToasts)));
  return list.filter((toast) => !dropped.has(toast));
}

export function ToastsProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Shown[]>([]);
  const present = useRef<Shown[]>([]);
  const next = useRef(1);

  const change = useCallback((list: Shown[]) => {
    present.current = list;
    setShown(list);
  }, []);
  const finish = useCallback(
    (id: number, how: "end" | "takeBack") => {
      const one = present.current.find((toast) => toast.id === id);
      if (!one) return; // it has ended already, and must not be committed twice
      change(present.current.filter((toast) => toast.id !== id));
      one[how]?.();
    },
    [change],
  );

  const api = useMemo<Api>(
    () => ({
      toast: (toast) => change(limitToasts([...present.current, { ...toast, id: next.current++, time: toastTime }])),
      undo: ({ text, undo, commit }) =>
        change([...present.current, { text, id: next.current++, time: undoTime, takeBack: undo, end: commit }]),
    }),
    [change],
  );

  useEffect(() => {
    const leave = () => present.current.forEach((toast) => finish(toast.id, "end"));
    window.addEventListener("pagehide", leave);
    return () => window.removeEventListener("pagehide", leave);
  }, [finish]);

  useUndoKey(() => {
    const bar = present.current.findLast((toast) => toast.takeBack);
    return bar && { id: bar.id, takeBack: () => finish(bar.id, "takeBack") };
  });

  return (
    <Context value={api}>
      {children}
      <div className="k-toasts" role="status" aria-live="polite">
        {shown.map((toast) => (
          <Bar key={toast.id} toast={toast} finish={finish} />
        ))}
      </div>
    </Context>
  );
}

/** The timer pauses while the pointer or the focus is on the bar. */
function Bar({ toast, finish }: { toast: Shown; finish(id: number, how: "end" | "takeBack"): void }) {
  const { t } = useTranslation();
  const [held, setHeld] = useState(false);
  const left = useRef(toast.time);
  const ref = useFocusOnRemoval();
  useEffect(() => {
    if (held) return;
    const started = Date.now();
    const timer = setTimeout(() => finish(toast.id, "end"), left.current);
    return () => {
      clearTimeout(timer);
      left.current -= Date.now() - started;
    };
  }, [held, finish, toast.id]);
  return (
    <div
      ref={ref}
      className="k-toast"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span className="min-w-0 flex-1 py-1">{toast.text}</span>
      {toast.takeBack ? (
        <Button kind="quiet" size="small" shortcut="mod+z" onClick={() => finish(toast.id, "takeBack")}>
          {t("undo")}
        </Button>
      ) : null}
      {toast.action ? (
        <Button
          kind="quiet"
          size="small"
          onClick={() => {
            toast.action?.run();
            finish(toast.id, "end");
          }}
        >
          {toast.action.label}
        </Button>
      ) : null}
      <IconButton label={t("close")} icon={<X size={14} />} onClick={() => finish(toast.id, "end")} />
      {toast.takeBack ? (
        <span className="left" aria-hidden style={{ "--time": `${toast.time}ms` } as CSSProperties} />
      ) : null}
    </div>
  );
}
