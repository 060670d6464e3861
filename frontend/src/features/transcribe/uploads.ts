import * as v from "valibot";
import { asForm } from "@/api/client";
import { keys } from "@/api/keys";
import { uploadForm } from "@/api/upload";
import { createUploads } from "@/api/uploads";

const response = v.object({ id: v.string() });

/** Files on their way to the server; once one has arrived it is a transcript. */
export const { useUploads, sendFiles, retryUpload, cancelUpload } = createUploads(
  async (client, { file, fields }, options) => {
    const form = asForm({ ...fields, file }); // the file last, so that the server knows the options before it arrives
    const { id } = v.parse(response, await uploadForm("/transcriptions", form, options));
    await client.invalidateQueries({ queryKey: keys.transcripts }); // before its row as an upload disappears
    return id;
  },
);
