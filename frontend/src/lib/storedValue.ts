import * as v from "valibot";

interface StoredValue<T> {
  read(): T;
  write(value: T): void;
}

/** Returns the parsed JSON of a text if it has the shape of the schema, else null. */
function parseStored<S extends v.GenericSchema>(schema: S, text: string | null): v.InferOutput<S> | null {
  try {
    const result = v.safeParse(schema, JSON.parse(text ?? "null"));
    return result.success ? result.output : null;
  } catch {
    return null; // not JSON
  }
}

/** A value in local storage. A missing, malformed or unreadable value is `initial`; storage errors are ignored. */
export function storedValue<S extends v.GenericSchema>(
  key: string,
  schema: S,
  initial: v.InferOutput<S>,
): StoredValue<v.InferOutput<S>> {
  return {
    read() {
      try {
        return parseStored(schema, localStorage.getItem(key)) ?? initial;
      } catch {
        return initial;
      }
    },
    write(value) {
      try {
        localStorage.setItem(key, JSON.stringify(value));
      } catch {
        // The value is lost when the window closes.
      }
    },
  };
}
