import { readBook } from "@/api/books";
import { readGeneration } from "@/api/generations";
import { hasEnded, type Book, type BookChapter, type Generation } from "@/api/types";
import { href } from "@/lib/router";
import { createStore, useStorePart } from "@/lib/store";
import { clearTrack, output, player, playhead, setTrack } from "@/player";
import { chapterAfter, chapterBefore, isGrowing, isPlayable, partAt, placeToContinue, type Place } from "./chapters";
import { savePlaces } from "./savePlace";

interface Listening {
  book: Book;
  chapter: BookChapter;
  /** The generations of the chapter, of which number n is heard. */
  parts: readonly Generation[];
  n: number;
  /** The audio of the next part or chapter is still to be generated. */
  waits: boolean;
}

const state = createStore<Listening | null>(null);
const usualPause = 2; // seconds after a chapter
const restart = 3; // seconds of a chapter after which "previous" is its own start

let request = 0; // a newer one replaces those that are under way
let begun = false; // the part is loaded
let replaced: string | undefined; // what was loaded before the part
let timer: ReturnType<typeof setTimeout> | undefined;

/** Returns where the listener is; null while another sound is loaded. */
function currentPlace(): { book: string; place: Place } | null {
  const now = state.get();
  if (!now || !begun) return null;
  const before = now.parts.slice(0, now.n).reduce((sum, { duration }) => sum + duration, 0);
  return { book: now.book.id, place: { chapter_id: now.chapter.id, seconds: before + playhead.get() } };
}
const places = savePlaces(currentPlace);

/** Ends listening to a book; what is loaded stays. */
export function stopListening(): void {
  request += 1;
  clearTimeout(timer);
  clearTrack();
  state.set(null);
}

/** Notices when the part is loaded, and when the person plays something else. */
function onPlayerChange(): void {
  const now = state.get();
  if (!now) return;
  const { generation, playing } = player.get();
  if (playing) clearTimeout(timer);
  if (generation?.id === now.parts[now.n]?.id) begun = true;
  else if (begun || (generation?.id !== replaced && !player.isAwaiting())) stopListening();
}
player.subscribe(onPlayerChange);

interface Start {
  /** Seconds of silence before it. */
  pause?: number;
  /** It follows what was heard before, so that it does not interrupt what the person plays meanwhile. */
  continues?: boolean;
}

/** Plays a part of a chapter at a second of it. */
function start(next: Omit<Listening, "waits">, at: number, { pause = 0, continues = false }: Start): void {
  const { book, chapter, parts, n } = next;
  const part = parts[n];
  if (!part) return;
  clearTimeout(timer);
  begun = false;
  replaced = player.get().generation?.id;
  state.set({ ...next, waits: false });
  places.restart();
  setTrack(part.id, {
    title: chapter.title || book.title,
    album: book.title,
    artist: book.narrator || book.author,
    href: href("books", [book.id]),
    previous: () => void goBack(),
    next: chapterAfter(book, chapter.id) ? () => void goOn(0) : null,
  });
  const onPlayed = () => void advance().catch(stopListening);
  const play = () => {
    if (part.status === "complete") player.load(part, { play: true, continues, onPlayed });
    else {
      const busy = continues ? output.watch() : () => false;
      const onStart = () => at > 0 && player.seek(at);
      player.follow(part, { play: true, continues, busy, onPlayed, onStart: () => void onStart() });
    }
  };
  if (part.status === "complete") player.load(part, { at, onPlayed }); // it loads in the pause
  if (pause === 0) return play();
  const mine = request;
  timer = setTimeout(() => mine === request && play(), pause * 1000);
}

/** Waits until there is audio of a chapter, or of its next part. */
function wait(now: Omit<Listening, "waits">): void {
  if (now.parts.length === 0) {
    begun = false;
    replaced = player.get().generation?.id;
  }
  state.set({ ...now, waits: true });
}

/** Plays a chapter from a second of it. */
async function open(book: Book, chapter: BookChapter, seconds: number, how: Start, mine: number): Promise<void> {
  const made = await Promise.all(chapter.generations.map((id) => readGeneration(id)));
  if (mine !== request) return;
  const parts = made.filter(({ status, partial }) => !hasEnded(status) || status === "complete" || partial);
  if (parts.length === 0) return wait({ book, chapter, parts, n: 0 });
  const { n, at } = partAt(parts, seconds);
  start({ book, chapter, parts, n }, at, how);
}

/** Plays a book from a place. Rejects with an ApiError. */
export async function listen(bookId: string, { chapter_id, seconds }: Place): Promise<void> {
  const mine = ++request;
  clearTimeout(timer);
  const book = await readBook(bookId);
  const chapter = book.chapters.find(({ id }) => id === chapter_id);
  if (mine === request && chapter) await open(book, chapter, seconds, {}, mine);
}

/** Plays a book where listening ended last. Rejects with an ApiError. */
export async function continueListening(bookId: string): Promise<void> {
  const mine = ++request;
  clearTimeout(timer);
  const book = await readBook(bookId);
  const place = placeToContinue(book, places.known.get().get(bookId) ?? book.place);
  const chapter = book.chapters.find(({ id }) => id === place?.chapter_id);
  if (mine === request && place && chapter) await open(book, chapter, place.seconds, {}, mine);
}

/** Returns the number of the part after the one that was played; -1 where its chapter has other audio now. */
function nextPart({ parts, n }: Listening, chapter: BookChapter): number {
  const played = parts[n]?.id;
  if (played === undefined) return 0;
  const at = chapter.generations.indexOf(played);
  return at < 0 ? -1 : at + 1;
}

/** Goes on after a part was played to its end: with the next part, or after a pause with the next chapter. */
async function advance(): Promise<void> {
  const now = state.get();
  if (!now) return;
  const mine = ++request;
  const known = now.parts[now.n + 1];
  if (known?.status === "complete") return start({ ...now, n: now.n + 1 }, 0, { continues: true }); // without a gap
  const book = await readBook(now.book.id).catch(() => now.book);
  if (mine !== request || state.get() !== now) return;
  const chapter = book.chapters.find(({ id }) => id === now.chapter.id);
  const next = chapter ? nextPart(now, chapter) : -1;
  if (chapter && chapter.generations[next] !== undefined) {
    const parts = await Promise.all(chapter.generations.map((id) => readGeneration(id)));
    if (mine === request) start({ book, chapter, parts, n: next }, 0, { continues: true });
  } else if (chapter && isGrowing(chapter)) wait({ ...now, book });
  else await goOn(now.chapter.options.chapter_pause ?? book.options.chapter_pause ?? usualPause, book);
}

/** Goes to the next chapter that belongs to the book, where it has audio or will have. */
async function goOn(pause: number, read?: Book): Promise<void> {
  const now = state.get();
  if (!now) return;
  const mine = ++request;
  clearTimeout(timer);
  const book = read ?? (await readBook(now.book.id).catch(() => now.book));
  const next = chapterAfter(book, now.chapter.id);
  if (mine !== request) return;
  if (!next || !isPlayable(next)) return state.set({ ...now, book, waits: false });
  if (next.generations.length === 0) return wait({ ...now, book });
  await open(book, next, 0, { pause, continues: read !== undefined }, mine).catch(() => undefined);
}

/** Goes to the start of the chapter, at its start to the chapter before. */
async function goBack(): Promise<void> {
  const now = state.get();
  if (!now) return;
  const mine = ++request;
  clearTimeout(timer);
  const isAtStart = (currentPlace()?.place.seconds ?? 0) < restart;
  const target = (isAtStart && chapterBefore(now.book, now.chapter.id)) || now.chapter;
  await open(now.book, target, 0, {}, mine).catch(() => undefined);
}

/** Goes on with a book that waits for audio, if there is some now or none will come. */
export function continueWaiting(book: Book): void {
  const now = state.get();
  if (!now?.waits || now.book.id !== book.id) return;
  const chapter = book.chapters.find(({ id }) => id === now.chapter.id);
  const hasMore = chapter?.generations[nextPart(now, chapter)] !== undefined;
  const next = chapterAfter(book, now.chapter.id);
  const isNextComing = next !== undefined && next.generations.length === 0 && isGrowing(next);
  if (hasMore || !((chapter && isGrowing(chapter)) || isNextComing)) void advance().catch(stopListening);
}

/** Returns the place of a book that was heard in this window, else that of the library. */
export const usePlace = (book: Pick<Book, "id" | "place">): Place | undefined =>
  useStorePart(places.known, (known) => known.get(book.id)) ?? book.place ?? undefined;

/** Reports whether a chapter is heard, paused, or neither. */
export function useChapterState(chapterId: string): "listening" | "waiting" | "other" {
  return useStorePart(state, (now) => (now?.chapter.id !== chapterId ? "other" : now.waits ? "waiting" : "listening"));
}

/** Returns the id of the book that is heard. */
export const useHeardBook = (): string | undefined => useStorePart(state, (now) => now?.book.id);
/** Returns the id of the book that waits for audio to be generated. */
export const useWaitingBook = (): string | undefined =>
  useStorePart(state, (now) => (now?.waits ? now.book.id : undefined));
/** Reports whether a book is heard now. */
export const isHeardBook = (id: string): boolean => state.get()?.book.id === id;
