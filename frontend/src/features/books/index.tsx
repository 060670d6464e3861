import { useEffect } from "react";
import { useRoute } from "@/lib/router";
import { BookView } from "./BookView";
import { Library } from "./library/Library";
import { setProblem } from "./state";
import "./books.css";

/** Audiobooks: all of them, and one with its chapters. */
export default function Books() {
  const { segments } = useRoute();
  const id = segments[0];
  useEffect(() => setProblem(null), [id]); // that of another book
  return <div className="bk-view">{id === undefined ? <Library /> : <BookView key={id} id={id} />}</div>;
}
