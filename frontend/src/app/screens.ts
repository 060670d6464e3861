import { AudioWaveform, Box, History, MessagesSquare, PenLine, SlidersHorizontal, type LucideIcon } from "lucide-react";
import { lazy, type ComponentType, type LazyExoticComponent } from "react";

export interface Feature {
  /** Its part of the address, #/id, its namespace of texts, and `screens.id` in common.json. */
  id: string;
  icon: LucideIcon;
  /** At the top of the rail, at its end, or not there: reached from another screen. */
  place: "top" | "end" | "none";
  Screen: LazyExoticComponent<ComponentType>;
}

/** The screens in the order of the rail. Each is a folder of src/features whose index.tsx has the screen as default export. */
export const features: readonly Feature[] = [
  { id: "studio", icon: PenLine, place: "top", Screen: lazy(() => import("@/features/studio")) },
  { id: "voices", icon: AudioWaveform, place: "top", Screen: lazy(() => import("@/features/voices")) },
  { id: "history", icon: History, place: "top", Screen: lazy(() => import("@/features/history")) },
  { id: "models", icon: Box, place: "top", Screen: lazy(() => import("@/features/models")) },
  { id: "script", icon: MessagesSquare, place: "none", Screen: lazy(() => import("@/features/script")) },
  { id: "settings", icon: SlidersHorizontal, place: "end", Screen: lazy(() => import("@/features/settings")) },
];
