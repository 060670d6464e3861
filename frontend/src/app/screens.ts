import {
  AudioWaveform,
  BookOpen,
  Box,
  Captions,
  History,
  MessagesSquare,
  PenLine,
  SlidersHorizontal,
  User,
  type LucideIcon,
} from "lucide-react";
import { lazyScreen, type LazyScreen } from "@/lib/lazyScreen";
import { setScreens } from "@/lib/router";

export interface Feature {
  /** The part of the address (#/id), the namespace of its texts, and `screens.id` in common.json. */
  id: string;
  icon: LucideIcon;
  /** At the top of the rail, at its end, or not in it: reached from another screen. */
  place: "top" | "end" | "none";
  code: LazyScreen;
}

/** The screens in the order of the rail. Each is a folder of src/features whose index.tsx has it as default export. */
export const features: readonly Feature[] = [
  { id: "studio", icon: PenLine, place: "top", code: lazyScreen(() => import("@/features/studio")) },
  { id: "books", icon: BookOpen, place: "top", code: lazyScreen(() => import("@/features/books")) },
  { id: "voices", icon: AudioWaveform, place: "top", code: lazyScreen(() => import("@/features/voices")) },
  { id: "history", icon: History, place: "top", code: lazyScreen(() => import("@/features/history")) },
  { id: "transcribe", icon: Captions, place: "top", code: lazyScreen(() => import("@/features/transcribe")) },
  { id: "models", icon: Box, place: "top", code: lazyScreen(() => import("@/features/models")) },
  { id: "script", icon: MessagesSquare, place: "none", code: lazyScreen(() => import("@/features/script")) },
  { id: "account", icon: User, place: "end", code: lazyScreen(() => import("@/features/account")) },
  { id: "settings", icon: SlidersHorizontal, place: "end", code: lazyScreen(() => import("@/features/settings")) },
];

export const galleryScreen = "gallery"; // only the dev server has it

setScreens([...features.map(({ id }) => id), ...(import.meta.env.DEV ? [galleryScreen] : [])]);
