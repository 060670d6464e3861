import { createStore } from "@/lib/store";
import type { FollowOptions, LoadOptions, Sound } from "./state";
import { player as inner } from "./store";

const requests = createStore(0);
const note = () => requests.set((count) => count + 1);

/** Calls a function each time the person plays or seeks; audio that continues by itself does not count. */
export const onPlayRequest = (listener: () => void): (() => void) => requests.subscribe(listener);

/** Continues what was played before, so that it is no request of the person. */
interface Continued {
  continues?: boolean;
}

/** The player for all that the person does. */
export const player = {
  ...inner,
  load(sound: Sound, { continues, ...options }: LoadOptions & Continued = {}): void {
    if (options.play && !continues) note();
    inner.load(sound, options);
  },
  follow(sound: Sound, { continues, ...options }: FollowOptions & Continued): void {
    if (options.play && !continues) note();
    inner.follow(sound, options);
  },
  toggle(): void {
    if (!inner.get().playing) note();
    inner.toggle();
  },
  play(): void {
    note();
    inner.play();
  },
  seek(seconds: number): void {
    note();
    inner.seek(seconds);
  },
};
