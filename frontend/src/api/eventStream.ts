import { createParser } from "eventsource-parser";

export interface ServerEvent {
  name: string;
  /** The parsed JSON of the event; undefined where it is not JSON. */
  data: unknown;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Yields the events of a response body until it ends. `onBytes` is called for comments too, which keep a connection alive. */
export async function* readEvents(
  body: ReadableStream<Uint8Array> | null,
  onBytes: () => void = () => undefined,
): AsyncGenerator<ServerEvent> {
  if (!body) return;
  const events: ServerEvent[] = [];
  const parser = createParser({
    onEvent: ({ event = "", data }) => events.push({ name: event, data: parseJson(data) }),
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes();
      parser.feed(decoder.decode(value, { stream: true }));
      yield* events.splice(0);
    }
  } finally {
    reader.cancel().catch(() => undefined); // it has failed or ended already
  }
}
