import { createBook } from "@/api/books";
import { createUploads } from "@/api/uploads";
import { setArrival } from "./state";

/** Files on their way to the server; once one has arrived it is a book. The fields are the voice and others of the new book. */
export const { useUploads, sendFiles, retryUpload, cancelUpload } = createUploads(
  async (client, { file, fields }, options) => {
    const { id, notes } = await createBook(client, file, fields, options);
    setArrival(id, { notes });
    return id;
  },
);
