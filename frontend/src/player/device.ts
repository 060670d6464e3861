import { prefs, type Prefs } from "@/lib/prefs";
import { createStore, useStore } from "@/lib/store";

/** An output of this machine, as the browser names it; its id is empty for the one that the system chooses. */
export type Device = Prefs["outputDevice"];

/** What plays on a device: an element, or an AudioContext where the browser can choose its device. */
export interface Sink {
  readonly sinkId?: string;
  setSinkId?(id: string): Promise<unknown>;
  /** "closed" for an AudioContext that plays no more. */
  readonly state?: string;
}

export const systemDevice: Device = { id: "", label: "" };
const notThemselves = ["", "default", "communications"]; // other names of the system's device, and what may not be known

/** Reports whether this browser lets a page choose the device, of elements and of Web Audio. */
export const canChooseDevice = (): boolean =>
  "setSinkId" in HTMLMediaElement.prototype && "setSinkId" in AudioContext.prototype;

/** The chosen device is not there, so that of the system plays. */
const missing = createStore(false);

const idNow = (): string => (missing.get() || !canChooseDevice() ? systemDevice.id : prefs.get().outputDevice.id);

/** Reports whether a sound plays on the device that it should. */
export const isRouted = (sink: Sink): boolean => (sink.sinkId ?? systemDevice.id) === idNow();

/** Lets a sound play on the chosen device, or on that of the system where the chosen one is not there. */
export async function route(sink: Sink): Promise<void> {
  if (isRouted(sink) || sink.state === "closed") return;
  try {
    await sink.setSinkId?.(idNow());
  } catch {
    if (missing.get() || sink.state === "closed") return; // closed meanwhile: the device may be there
    missing.set(true);
    await route(sink);
  }
}

export function chooseDevice(device: Device): void {
  missing.set(false);
  prefs.set({ outputDevice: device });
}

/** Returns the devices that the browser names: none before the page may use the microphone. */
async function devices(): Promise<Device[]> {
  const all = await navigator.mediaDevices.enumerateDevices();
  return all
    .filter(({ kind, deviceId }) => kind === "audiooutput" && !notThemselves.includes(deviceId))
    .map(({ deviceId, label }) => ({ id: deviceId, label }));
}

/** Calls back with the devices that the browser names, now and whenever they change. Returns a function that stops. */
export function followDevices(onChange: (all: Device[]) => void): () => void {
  const stop = new AbortController();
  const look = () => void devices().then((all) => stop.signal.aborted || onChange(all));
  navigator.mediaDevices.addEventListener("devicechange", look, stop);
  look();
  return () => stop.abort();
}

/** Returns the devices after a request for the microphone, without which the browser names none; it is closed at once. */
export async function askForDevices(): Promise<Device[]> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  try {
    return await devices();
  } finally {
    for (const track of stream.getTracks()) track.stop();
  }
}

/** Notes whether the chosen device is among these. */
export function noteDevices(all: readonly Device[]): void {
  const { id } = prefs.get().outputDevice;
  missing.set(id !== systemDevice.id && !all.some((device) => device.id === id));
}

export const useDeviceMissing = (): boolean => useStore(missing);
