import { expect, test } from "vitest";
import { pauseAt, pausePlace } from "./pause";

/** Returns the text with a pause inserted at the bar. */
function paused(marked: string): string {
  const text = marked.replace("|", "");
  const at = pausePlace(text, marked.indexOf("|"));
  return text.slice(0, at) + pauseAt(text, at).replace("[pause 0.5s]", "‖") + text.slice(at);
}

test.each([
  ["She went witho|ut a light.", "She went without ‖ a light."],
  ["Nobody can|'t know.", "Nobody can't ‖ know."],
  ["A well-kn|own lamp.", "A well-known ‖ lamp."],
  ["It costs 3|.50 now.", "It costs 3.50 ‖ now."],
  ["The lamp was l|it. Then", "The lamp was lit. ‖ Then"],
  ["“Was it l|it?” he said", "“Was it lit?” ‖ he said"],
  ["Grü|ße an alle", "Grüße ‖ an alle"],
  ["A quiet| room", "A quiet ‖ room"],
  ["A |quiet room", "A ‖ quiet room"],
  ["|A room", "‖ A room"],
  ["A room|", "A room ‖ "],
  ["A [pau|se 1s] room", "A [pause 1s] ‖ room"],
  ["Her, [[Cao|imhe|KEE-va]].", "Her, [[Caoimhe|KEE-va]]. ‖ "],
  ["静かな|部屋", "静かな ‖ 部屋"],
])("%s", (marked, wanted) => expect(paused(marked)).toBe(wanted));
