import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { heldVoice } from "./voice";

/** Hz a second, so that the pitch of what is heard says where it is. */
export const toneSlope = 100;
/** Hz, of the first passage and of each later one. */
export const toneStarts = [500, 1_500] as const;

/** Makes a built-in voice whose passages are rising tones of some seconds. It waits in passages with a word that is held. */
export function toneVoice(words: readonly string[] = [], seconds = 8) {
  const voice = heldVoice(words, `exec ${process.execPath} "$(dirname "$0")/tone.cjs"`);
  writeFileSync(
    join(voice.folder, "tone.cjs"),
    `const { existsSync, writeFileSync } = require("node:fs");
const spoken = ${JSON.stringify(join(voice.folder, "spoken"))};
const from = existsSync(spoken) ? ${toneStarts[1]} : ${toneStarts[0]};
writeFileSync(spoken, "");
const rate = 22050, n = rate * ${seconds}, out = Buffer.alloc(44 + 2 * n);
out.write("RIFF", 0); out.writeUInt32LE(36 + 2 * n, 4); out.write("WAVEfmt ", 8);
out.writeUInt32LE(16, 16); out.writeUInt16LE(1, 20); out.writeUInt16LE(1, 22); out.writeUInt32LE(rate, 24);
out.writeUInt32LE(2 * rate, 28); out.writeUInt16LE(2, 32); out.writeUInt16LE(16, 34); out.write("data", 36);
out.writeUInt32LE(2 * n, 40);
for (let i = 0; i < n; i++) {
  const t = i / rate;
  out.writeInt16LE(Math.round(8000 * Math.sin(2 * Math.PI * (from * t + ${toneSlope / 2} * t * t))), 44 + 2 * i);
}
process.stdout.write(out);
`,
  );
  return voice;
}
