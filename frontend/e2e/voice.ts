import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const header = 44; // bytes of a WAV file before its samples

/**
 * Makes a built-in voice that waits in passages with a word that is held. `folder` comes first in the PATH of the program.
 * `speak` is the shell command that turns a text into sound, if it is not espeak-ng. While it waits it prints the header of
 * its file, a byte now and then: a program that prints nothing for 10 s is taken for hung.
 */
export function heldVoice(words: readonly string[], speak?: string) {
  const folder = mkdtempSync(join(tmpdir(), "voicewright-voice-"));
  const program = execFileSync("sh", ["-c", "command -v espeak-ng"], { encoding: "utf8" }).trim();
  const voice = join(folder, "espeak-ng");
  writeFileSync(
    voice,
    `#!/bin/sh
case "$*" in *--stdout*) ;; *) exec ${program} "$@" ;; esac
text=$(cat) sound=$(mktemp "${folder}/sound.XXXXXX") printed=0 times=0
printf '%s' "$text" | (${speak ?? `exec ${program} "$@"`}) >"$sound"
for word in ${words.join(" ")}; do
  case "$text" in *$word*) while [ -e "${folder}/$word" ]; do
    sleep 0.05
    times=$((times + 1))
    if [ $((times % 100)) = 0 ] && [ $printed -lt ${header} ]; then
      dd if="$sound" bs=1 skip=$printed count=1 2>/dev/null
      printed=$((printed + 1))
    fi
  done ;; esac
done
tail -c +$((printed + 1)) "$sound"
rm "$sound"
`,
  );
  chmodSync(voice, 0o755);
  return {
    folder,
    hold: (word: string): void => writeFileSync(join(folder, word), ""),
    release: (word: string): void => rmSync(join(folder, word)),
    remove: (): void => rmSync(folder, { recursive: true }),
  };
}
