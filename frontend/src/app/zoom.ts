import { pageScale } from "@/lib/media";
import { prefs, zooms } from "@/lib/prefs";

/** Shows the page at its stored size: by the web view where it can, else by CSS. Browsers have their own zoom. */
async function apply(): Promise<void> {
  const { zoom } = prefs.get();
  const isNative = await window.go?.desktop?.Bridge?.SetZoom?.(zoom).catch(() => false);
  const root = document.documentElement;
  const scale = isNative ? 1 : zoom;
  root.style.zoom = String(scale);
  root.style.setProperty("--zoom", String(scale));
  pageScale.set(scale);
}

/** Enlarges the page by steps, 0 for its own size, and remembers it. */
export function zoomBy(step: -1 | 0 | 1): void {
  const at = zooms.indexOf(step === 0 ? 1 : prefs.get().zoom);
  prefs.set({ zoom: zooms[Math.min(Math.max(at + step, 0), zooms.length - 1)] ?? 1 });
  void apply();
}

const steps: Readonly<Record<string, -1 | 0 | 1>> = { "+": 1, "=": 1, "-": -1, "0": 0 };

/** On Windows the native menu does not get all of these keys; elsewhere the page does not get those of the menu. */
function onKey(event: KeyboardEvent): void {
  const step = steps[event.key];
  if (step === undefined || event.altKey || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  zoomBy(step);
}

/** Shows the page of the desktop window at its stored size, and changes it by keys until the returned function is called. */
export function keepZoom(): () => void {
  if (!window.go?.desktop?.Bridge) return () => undefined;
  void apply();
  window.addEventListener("keydown", onKey);
  return () => window.removeEventListener("keydown", onKey);
}
