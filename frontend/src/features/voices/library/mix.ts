/** One voice of a mixture and its share. */
export interface Share {
  voice: string;
  part: number;
}

/** Returns a preset's id without the key of its model: "kokoro#af_heart" is af_heart. */
export function bareVoice(presetVoiceId: string): string {
  return presetVoiceId.slice(presetVoiceId.indexOf("#") + 1);
}

/** Returns the id of a mixture of two voices, `part` (0..1) being the share of the first: af_heart:0.6+af_bella:0.4. */
export function mixId(first: string, second: string, part: number): string {
  const percent = Math.min(99, Math.max(1, Math.round(part * 100))); // the server accepts no share of 0
  return `${bareVoice(first)}:${percent / 100}+${bareVoice(second)}:${(100 - percent) / 100}`;
}

/** Returns the shares of a mixture; empty for a plain voice. They add up to 1, and are equal where none are stated. */
export function parseMix(presetVoiceId: string): Share[] {
  const words = bareVoice(presetVoiceId).split("+");
  if (words.length < 2) return [];
  const shares = words.map((word) => {
    const [voice = "", part] = word.split(":");
    return { voice: voice.trim(), part: part === undefined ? 1 : Number(part) };
  });
  const sum = shares.reduce((total, share) => total + share.part, 0);
  if (!(sum > 0)) return [];
  return shares.map((share) => ({ ...share, part: share.part / sum }));
}
