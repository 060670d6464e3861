import { vi } from "vitest";

/** Lets uploads, which use XMLHttpRequest for their progress, reach the fake API. */
export function fakeUploads(): void {
  class FakeRequest {
    upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
    onload?: () => void;
    onerror?: () => void;
    onabort?: () => void;
    status = 0;
    responseText = "";
    responseType = "";
    private path = "";
    private headers: Record<string, string> = {};
    private aborted = false;
    open(_method: string, path: string) {
      this.path = path;
    }
    setRequestHeader(name: string, value: string) {
      this.headers[name] = value;
    }
    abort() {
      this.aborted = true;
      this.onabort?.();
    }
    send(form: FormData) {
      this.upload.onprogress?.({ loaded: 1, total: 2 });
      const body = JSON.stringify(
        Object.fromEntries([...form].map(([name, value]) => [name, value instanceof File ? value.name : value])),
      );
      const headers = { ...this.headers, "Content-Type": "application/json" };
      void fetch(this.path, { method: "POST", headers, body }).then(
        async (response) => {
          if (this.aborted) return;
          this.status = response.status;
          this.responseText = await response.text();
          this.onload?.();
        },
        () => this.onerror?.(),
      );
    }
  }
  vi.stubGlobal("XMLHttpRequest", FakeRequest);
}
