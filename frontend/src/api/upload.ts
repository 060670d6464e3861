import { apiUrl } from "./client";
import { problemOf, unreachable } from "./errors";
import { session } from "./session";

interface UploadOptions {
  signal: AbortSignal;
  /** Called with the part that has been sent, 0 to 1. */
  onProgress(part: number): void;
}

/** Sends a form and returns the JSON of the response. Unlike fetch it reports how much has been sent. */
export function uploadForm(path: string, form: FormData, { signal, onProgress }: UploadOptions): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const { token } = session.get();
    request.open("POST", apiUrl(path));
    request.responseType = "text";
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("Prefer", "respond-async");
    if (token) request.setRequestHeader("Authorization", `Bearer ${token}`);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onerror = () => reject(unreachable(new TypeError("upload failed")));
    request.onabort = () => reject(new DOMException("aborted", "AbortError"));
    request.onload = () => {
      const { status, responseText } = request;
      if (status >= 200 && status < 300) resolve(JSON.parse(responseText));
      else {
        if (status === 401) session.refuse(token);
        void problemOf(new Response(responseText, { status })).then(reject);
      }
    };
    signal.addEventListener("abort", () => request.abort());
    request.send(form);
  });
}
