import * as v from "valibot";
import { storedValue } from "@/lib/storedValue";
import { createStore, useStore } from "@/lib/store";

const maxAnswers = 200; // the newest ones; older transcripts may offer their channels once more

const stored = storedValue("voicewright.channels", v.array(v.string()), []);
const answered = createStore<readonly string[]>(stored.read());

/** Says that the offer to use the channels of a transcript was taken or refused. */
export function answerChannels(id: string): void {
  answered.set((before) => [id, ...before.filter((other) => other !== id)].slice(0, maxAnswers));
  stored.write([...answered.get()]);
}

/** Reports whether the offer of a transcript was answered. */
export const useChannelsAnswered = (id: string): boolean => useStore(answered).includes(id);
