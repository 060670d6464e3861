/** Reads the files that were opened with the desktop window, each of them once; `failed` gets the names of others. */
async function readHanded(failed: (name: string) => void): Promise<File[]> {
  const handed = (await window.go?.desktop?.Bridge?.HandedFiles?.()) ?? [];
  const files: File[] = [];
  for (const { id, name } of handed) {
    const answer = await fetch(`/handed/${id}`).catch(() => null);
    const blob = answer?.ok ? await answer.blob().catch(() => null) : null;
    if (blob) files.push(new File([blob], name, { type: blob.type }));
    else failed(name);
  }
  return files;
}

/** Takes the files that were opened with the desktop window, now and later; does nothing in a browser. */
export function listenToHanded(take: (files: readonly File[]) => void, failed: (name: string) => void): () => void {
  const read = () =>
    void readHanded(failed).then((files) => {
      if (files.length > 0) take(files);
    });
  read();
  return window.runtime?.EventsOn?.("menu:open-files", read) ?? (() => undefined);
}
