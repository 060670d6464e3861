import { useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { hasEnded } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { restore, setLane } from "@/player";
import { speakerClass } from "../text/speakers";
import { soundOf } from "../view/sound";
import type { Page } from "../view/usePage";
import { heardTurns } from "./heard";
import { sharesOf } from "./shares";

/** Shows who speaks when under the waveform of the player, which shows the transcript in a window that has played nothing yet. */
export function useLane({ transcript, segments, speakers, filter }: Page): void {
  const { t } = useTranslation("speakers");
  const format = useFormat();
  const { id, turns } = transcript;
  const { shown } = filter;

  const heard = useMemo(() => {
    const numbers = new Map(speakers.map((name, i) => [name, i]));
    return heardTurns(segments, turns).flatMap(({ start, end, speaker }) => {
      const number = numbers.get(speaker);
      return number === undefined ? [] : [{ start, end, speaker: number }];
    });
  }, [segments, turns, speakers]);
  const shares = useMemo(() => sharesOf(segments, speakers), [segments, speakers]).map(({ name, seconds, part }) =>
    t("lane.share", { name, time: format.clock(seconds), part: format.percent(part) }),
  );
  const summary = t("lane.summary", { list: format.list(shares) });
  useEffect(() => {
    const lane = {
      speakers: speakers.map((name) => ({ name, className: speakerClass(speakers, name) })),
      turns: heard,
      dimmed: new Set(speakers.flatMap((name, i) => (shown.size > 0 && !shown.has(name) ? [i] : []))),
      summary,
    };
    setLane(id, speakers.length > 0 ? lane : null);
  }, [id, speakers, heard, shown, summary]);

  const sound = soundOf(transcript);
  const isShown = sound !== null && speakers.length > 0 && hasEnded(transcript.status);
  useEffect(() => {
    if (isShown) restore(sound);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once, not with each change of the text
  }, [isShown, id]);
}
