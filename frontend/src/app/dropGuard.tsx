import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { listenToHanded } from "@/api/handed";
import { dropTarget, type Files } from "@/lib/dropTarget";
import { areScript, incoming, openOn, scriptScreen, takeIncoming } from "@/lib/incoming";
import { isSound } from "@/lib/soundFiles";
import { isTextFile } from "@/lib/textFiles";
import { useStore } from "@/lib/store";
import { useToast } from "@/ui";
import { homeScreen, useRoute } from "@/lib/router";

const transcribeScreen = "transcribe";
const booksScreen = "books";
/** Other screens whose text files open in the Studio. */
const textScreens = new Set([scriptScreen, "history"]);
const stillness = 700; // milliseconds; drag events come more often than this, even when the pointer does not move

const typesOf = (event: DragEvent): readonly string[] => event.dataTransfer?.types ?? [];
const hasFiles = (event: DragEvent): boolean => typesOf(event).includes("Files");
/** Dropping an address outside a field would make the browser navigate to it. */
function leadsAway(event: DragEvent): boolean {
  const isField =
    event.target instanceof Element && event.target.closest("input, textarea, [contenteditable='true']") !== null;
  return !isField && typesOf(event).includes("text/uri-list");
}
/** Reports whether audio or video is dragged; the names of the files are not known before they are dropped. */
function hasAudio(event: DragEvent): boolean {
  const items = [...(event.dataTransfer?.items ?? [])];
  return items.length > 0 && items.every((item) => isSound({ name: "", type: item.type }));
}
const isAsked = () => document.querySelector(".k-scrim") !== null;

/** What is over the window. */
type Over = "audio" | "files" | null;

interface Watch {
  canTake(audio: boolean): boolean;
  over(files: Over): void;
  drop(files: Files): void;
}

/** Runs before all other handlers, so that no part of the page handles a file in its own way. */
function watchDrops(watch: Watch): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOwn = false; // dragged from this window, such as the audio of a row
  function over(event: DragEvent): void {
    if (!hasFiles(event) && !leadsAway(event)) return;
    event.preventDefault();
    const isTaken = hasFiles(event) && !isOwn && !isAsked();
    if (event.dataTransfer) event.dataTransfer.dropEffect = isTaken ? "copy" : "none";
    clearTimeout(timer);
    timer = setTimeout(() => watch.over(null), stillness);
    const audio = hasAudio(event);
    watch.over(isTaken && watch.canTake(audio) ? (audio ? "audio" : "files") : null);
  }
  function drop(event: DragEvent): void {
    clearTimeout(timer);
    watch.over(null);
    if (!hasFiles(event) && !leadsAway(event)) return;
    event.preventDefault();
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0 && !isOwn && !isAsked()) watch.drop(files);
  }
  const leave = (event: DragEvent) => {
    if (event.relatedTarget === null && event.clientX <= 0 && event.clientY <= 0) watch.over(null);
  };
  const handlers: [string, (event: DragEvent) => void][] = [
    [
      "dragstart",
      () => {
        isOwn = true;
      },
    ],
    [
      "pointermove",
      () => {
        isOwn = false;
      },
    ], // there are no pointer events during a drag
    ["dragenter", over],
    ["dragover", over],
    ["dragleave", leave],
    ["drop", drop],
  ];
  for (const [name, handler] of handlers) window.addEventListener(name, handler as EventListener, true);
  return () => {
    clearTimeout(timer);
    for (const [name, handler] of handlers) window.removeEventListener(name, handler as EventListener, true);
  };
}

/** Returns the screen that opens such files; null for other files. */
function screenOf(files: Files): string | null {
  if (files.every(isSound)) return transcribeScreen;
  if (areScript(files)) return scriptScreen;
  return files.every((file) => isTextFile(file.name)) ? homeScreen : null;
}

/**
 * Keeps a dropped file from replacing the page: a text opens in the Studio, on Books as a book, subtitles and screenplays in Script, audio is
 * transcribed, other files show a notice. Files that were opened with the desktop window open in the same way.
 */
export function DropGuard() {
  const { t } = useTranslation();
  const { screen } = useRoute();
  const own = useStore(dropTarget);
  const toast = useToast();
  const [over, setOver] = useState<Over>(null);
  const waiting = useStore(incoming);
  const isHere = screen === homeScreen || textScreens.has(screen);
  const words = over === "audio" ? t("drop.transcribe") : (own?.label ?? (isHere ? t("drop.studio") : ""));

  function drop(files: Files): void {
    const target = screenOf(files);
    if (target === transcribeScreen || (target === scriptScreen && isHere)) openOn(target, files);
    else if (own && (screen === homeScreen || screen === booksScreen || target === null)) own.onDrop(files);
    else if (screen === booksScreen)
      openOn(booksScreen, files); // while its code is still loading
    else if (isHere)
      openOn(homeScreen, files); // also when the Studio is still loading
    else
      toast({
        text: t("drop.elsewhere"),
        ...(target
          ? {
              action: {
                label: t(target === scriptScreen ? "drop.openScript" : "drop.open"),
                run: () => openOn(target, files),
              },
            }
          : {}),
      });
  }
  useEffect(() => {
    // Another screen may have handled it.
    if (waiting && screen === waiting.screen && own && dropTarget.get() === own) own.onDrop(takeIncoming(screen));
  }, [screen, own, waiting]);

  const canTake = useEffectEvent((audio: boolean) => audio || own !== null || isHere);
  const onDrop = useEffectEvent(drop);
  useEffect(
    () => watchDrops({ canTake: (audio) => canTake(audio), over: setOver, drop: (files) => onDrop(files) }),
    [],
  );
  const onUnreadable = useEffectEvent((name: string) => toast({ text: t("drop.unreadable", { name }) }));
  useEffect(
    () =>
      listenToHanded(
        (files) => openOn(screenOf(files) ?? homeScreen, files),
        (name) => onUnreadable(name),
      ),
    [],
  );
  return over ? (
    <div className="f-drop" aria-hidden>
      <span>{words}</span>
    </div>
  ) : null;
}
