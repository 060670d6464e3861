import type { CSSProperties } from "react";
import { apiUrl } from "@/api/client";
import type { Book, BookRow } from "@/api/types";
import { Portrait } from "@/ui";

/** How long the address of a picture is used, in milliseconds: each answer of the server has a new one, which works for an hour. */
const life = 50 * 60_000;
const addresses = new Map<string, { url: string; until: number }>();

/** Loads the picture of a book anew the next time, because it was changed. */
export const forgetCover = (id: string): boolean => addresses.delete(id);

function addressOf({ id, cover_url: url }: Pick<Book, "id" | "cover_url">): string | undefined {
  if (url === undefined) {
    addresses.delete(id);
    return undefined;
  }
  const known = addresses.get(id);
  if (known && known.until > Date.now()) return known.url;
  addresses.set(id, { url, until: Date.now() + life });
  return url;
}

/** The picture of a book; where it has none, its title on a colour by its id. */
export function Cover({ book, width }: { book: Book | BookRow; width: number }) {
  const url = addressOf(book);
  const style = { "--cover": `${width}px` } as CSSProperties;
  if (url !== undefined)
    return <img className="bk-cover" style={style} src={apiUrl(url)} alt="" draggable={false} loading="lazy" />;
  return (
    <span className="bk-cover" style={style} aria-hidden>
      <Portrait id={book.id} size={width} />
      {width >= 96 ? (
        <span className="bk-cover-title" dir="auto" lang={book.language || undefined}>
          {book.title}
        </span>
      ) : null}
    </span>
  );
}
