import { useMutation, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import * as v from "valibot";
import { api, asForm, dataOf } from "./client";
import { useCursorList } from "./cursor";
import { saveFile } from "./download";
import type { ApiError } from "./errors";
import { trackExport } from "./exports";
import { keys } from "./keys";
import type { paths } from "./schema";
import type { Book, BookChanges, BookChapterChanges, BookChapterText, BookRow, HostedQuote } from "./types";
import { uploadForm } from "./upload";

const inBook = (id: string) => ({ path: { book_id: id } });
const inChapter = (id: string, chapter: string) => ({ path: { book_id: id, chapter_id: chapter } });

/** The books, last changed first. */
export function useBooks(limit = 100) {
  return useCursorList<BookRow>(keys.bookList, (cursor, signal) =>
    dataOf(api.GET("/books", { params: { query: { limit, ...(cursor ? { cursor } : {}) } }, signal })),
  );
}

export const readBook = (id: string, signal?: AbortSignal): Promise<Book> =>
  dataOf(api.GET("/books/{book_id}", { params: inBook(id), signal: signal ?? null }));

const generatingInterval = 2_000; // ms; events report the ends of chapters

/** The books that are generated, which are among the first ones: each finished chapter changes them. */
export function useGeneratingBooks(): BookRow[] {
  return useBooks().items.filter(({ generating }) => generating);
}

/** A book with its chapters. */
export function useBook(id: string) {
  return useQuery<Book, ApiError>({
    queryKey: keys.book(id),
    queryFn: ({ signal }) => readBook(id, signal),
    refetchInterval: (query) => (query.state.data?.generating ? generatingInterval : false),
  });
}

/** A chapter with its text. */
export function useBookChapter(id: string, chapter: string) {
  return useQuery<BookChapterText, ApiError>({
    queryKey: keys.bookChapter(id, chapter),
    queryFn: ({ signal }) => readBookChapter(id, chapter, signal),
  });
}

export const readBookChapter = (id: string, chapter: string, signal?: AbortSignal): Promise<BookChapterText> =>
  dataOf(api.GET("/books/{book_id}/chapters/{chapter_id}", { params: inChapter(id, chapter), signal: signal ?? null }));

/** The words of a book that may be spoken wrongly. */
export function useBookCheck(id: string) {
  return useQuery({
    queryKey: keys.bookCheck(id),
    queryFn: async ({ signal }) =>
      (await dataOf(api.GET("/books/{book_id}/check", { params: inBook(id), signal }))).items,
  });
}

const note = v.object({ code: v.string(), detail: v.string(), params: v.optional(v.record(v.string(), v.unknown())) });
const created = v.object({ id: v.string(), notes: v.array(note) });
const updated = v.object({
  ...created.entries,
  report: v.object({ same: v.number(), changed: v.number(), new: v.number(), removed: v.number() }),
});

/** What a file has that was left out or changed in reading it. */
export type BookNote = v.InferOutput<typeof note>;
/** How the chapters of a changed file compare with those of the book. */
export type BookUpdateReport = v.InferOutput<typeof updated>["report"];

interface Sending {
  signal: AbortSignal;
  /** Called with the part that has been sent, 0 to 1. */
  onProgress(part: number): void;
}

/** Makes a book of a file. */
export async function createBook(client: QueryClient, file: File, fields: Record<string, string>, sending: Sending) {
  const answer = v.parse(created, await uploadForm("/books", asForm({ ...fields, file }), sending));
  await client.invalidateQueries({ queryKey: keys.bookList });
  return answer;
}

/** Replaces the text of a book by that of a changed file; chapters with equal text keep their audio. */
export async function updateBook(client: QueryClient, id: string, file: File, sending: Sending) {
  const answer = v.parse(updated, await uploadForm(`/books/${id}/update`, asForm({ file }), sending));
  await client.invalidateQueries({ queryKey: keys.books });
  return answer;
}

/** Stores the newest state of a book in the query cache. What is derived from it is read again. */
export function storeBook(client: QueryClient, book: Book): void {
  client.setQueryData(keys.book(book.id), book);
  void client.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] === "books" && queryKey[2] === book.id && queryKey.length > 3,
  });
  void client.invalidateQueries({ queryKey: keys.bookList });
}

/** Changes of one book reach the server in their order, and the answer to the last one is what is shown. */
function useBookMutation<V>(id: string, run: (variables: V) => Promise<Book>) {
  const client = useQueryClient();
  const mutationKey = ["books", id];
  return useMutation<Book, ApiError, V>({
    mutationKey,
    scope: { id: `book ${id}` },
    mutationFn: run,
    onSuccess: (book) => {
      if (client.isMutating({ mutationKey, exact: true }) === 1) storeBook(client, book);
    },
    // What was shown before the answer was not so.
    onError: () => void client.invalidateQueries({ queryKey: keys.book(id) }),
  });
}

const useBookAction = (id: string, run: () => Promise<Book>) => useBookMutation<undefined>(id, run);

export const usePatchBook = (id: string) =>
  useBookMutation(id, (body: BookChanges) => dataOf(api.PATCH("/books/{book_id}", { params: inBook(id), body })));

export const usePatchBookChapter = (id: string) =>
  useBookMutation(id, ({ chapter, ...body }: BookChapterChanges & { chapter: string }) =>
    dataOf(api.PATCH("/books/{book_id}/chapters/{chapter_id}", { params: inChapter(id, chapter), body })),
  );

/** Changes the text of a block; an empty text removes the block. */
export const usePatchBookBlock = (id: string) =>
  useBookMutation(id, ({ chapter, block, text }: { chapter: string; block: number; text: string }) =>
    dataOf(
      api.PATCH("/books/{book_id}/chapters/{chapter_id}/blocks/{n}", {
        params: { path: { book_id: id, chapter_id: chapter, n: block } },
        body: { text },
      }),
    ),
  );

/** Makes two chapters of one: the second begins with the block. */
export const useSplitBookChapter = (id: string) =>
  useBookMutation(id, ({ chapter, ...body }: { chapter: string; block: number; title?: string }) =>
    dataOf(api.POST("/books/{book_id}/chapters/{chapter_id}/split", { params: inChapter(id, chapter), body })),
  );

/** Makes one chapter of a chapter and the next one. */
export const useMergeBookChapter = (id: string) =>
  useBookMutation(id, (chapter: string) =>
    dataOf(api.POST("/books/{book_id}/chapters/{chapter_id}/merge", { params: inChapter(id, chapter) })),
  );

/** Moves a chapter to a place, from 0. */
export const useMoveBookChapter = (id: string) =>
  useBookMutation(id, ({ chapter, to }: { chapter: string; to: number }) =>
    dataOf(api.POST("/books/{book_id}/chapters/{chapter_id}/move", { params: inChapter(id, chapter), body: { to } })),
  );

export const useUndoBook = (id: string) =>
  useBookAction(id, () => dataOf(api.POST("/books/{book_id}/undo", { params: inBook(id) })));

type GenerateBook = NonNullable<
  paths["/books/{book_id}/generate"]["post"]["requestBody"]
>["content"]["application/json"];

/** The price of what a book still needs, as it was changed last; only a hosted voice has one. */
export function useBookQuote({ id, updated_at }: Pick<Book, "id" | "updated_at">, enabled: boolean) {
  return useQuery<HostedQuote, ApiError>({
    queryKey: keys.hostedQuote({ book: id, updated_at }),
    queryFn: ({ signal }) => dataOf(api.POST("/books/{book_id}/quote", { params: inBook(id), body: {}, signal })),
    enabled,
  });
}

/** Generates chapters, by default all that are not skipped; `again` also where they have audio. */
export const useGenerateBook = (id: string) =>
  useBookMutation(id, (body: GenerateBook) =>
    dataOf(api.POST("/books/{book_id}/generate", { params: inBook(id), body })),
  );

/** Stops generating; what is finished stays. */
export const useStopBook = (id: string) =>
  useBookAction(id, () => dataOf(api.POST("/books/{book_id}/stop", { params: inBook(id) })));

export const usePutBookCover = (id: string) =>
  useBookMutation(id, (file: File) =>
    dataOf(api.PUT("/books/{book_id}/cover", { params: inBook(id), body: { file }, bodySerializer: asForm })),
  );

export const useDeleteBookCover = (id: string) =>
  useBookAction(id, () => dataOf(api.DELETE("/books/{book_id}/cover", { params: inBook(id) })));

/** Deletes permanently, with the audio. Screens hide the book at once and call this when the undo bar ends. */
export function useDeleteBook() {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, string>({
    mutationFn: (id) => dataOf(api.DELETE("/books/{book_id}", { params: inBook(id), keepalive: true })),
    onSettled: () => client.invalidateQueries({ queryKey: keys.bookList }),
  });
}

export const bookFormats = ["m4b", "mp3", "m4a", "opus", "flac", "wav"] as const;
export interface BookExport {
  format: (typeof bookFormats)[number];
  /** kbit/s; absent: that of the format. */
  bitrate?: number;
}

/** How large and long an exported book would be. */
export function useBookExportSize(id: string, options: BookExport, enabled = true) {
  return useQuery<{ bytes: number; seconds: number }, ApiError>({
    queryKey: keys.bookExportSize(id, options),
    queryFn: ({ signal }) =>
      dataOf(api.GET("/books/{book_id}/export/size", { params: { ...inBook(id), query: options }, signal })),
    enabled,
  });
}

/** The longest m4b file, in seconds: a longer book is a zip of its parts. */
export const longestBookFile = 24 * 3600;

/** Saves a book: m4b is one file, other formats are a zip with a file for each chapter. Listed and cancelled like other exports. */
export function exportBook(
  { id, length_seconds: length }: Pick<Book, "id" | "length_seconds">,
  name: string,
  options: BookExport,
): Promise<void> {
  const ending = options.format === "m4b" && length <= longestBookFile ? "m4b" : "zip";
  const save = (exportId: string, signal: AbortSignal) =>
    saveFile(`${name}.${ending}`, (file) =>
      api.GET("/books/{book_id}/export", {
        params: { ...inBook(id), query: { ...options, export_id: exportId } },
        signal,
        ...file,
      }),
    );
  return trackExport(name, save, undefined, id);
}
