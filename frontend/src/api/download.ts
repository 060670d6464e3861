import { asFile, dataOf } from "./client";

function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // the browser may still be reading it
}

type FileOptions = typeof asFile & { fetch?: (request: Request) => Promise<Response> };
type FileCall = (options: FileOptions) => Promise<{ data: Blob; error?: never } | { data?: never; error: object }>;

/**
 * Saves a response as a file: `saveFile(name, (file) => api.GET("/history/export", { params, ...file }))`.
 * The desktop window cannot download, so there the shell asks where to save and sends the request itself.
 * Returns false where the person chose no place.
 */
export async function saveFile(name: string, call: FileCall): Promise<boolean> {
  const save = window.go?.desktop?.Bridge?.SaveAnswer;
  if (!save) {
    saveBlob(await dataOf(call(asFile)), name);
    return true;
  }
  let place = "";
  const sendByShell = async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    place = await save(name, request.method, pathname + search, await request.text());
    return new Response(null, { status: 204 });
  };
  await call({ ...asFile, fetch: sendByShell });
  return place !== "";
}

/** Saves a text as a file. */
export async function saveText(text: string, name: string): Promise<void> {
  const save = window.go?.desktop?.Bridge?.SaveText;
  if (save) await save(name, text);
  else saveBlob(new Blob([text], { type: "text/plain;charset=utf-8" }), name);
}
