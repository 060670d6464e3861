import { Pause, Play, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { usePeaks } from "@/api/history";
import { useCommands } from "@/app/commands";
import { useFormat } from "@/i18n/format";
import { Button, IconButton, Menu, Tooltip } from "@/ui";
import { player, usePlayer } from "./store";
import { Waveform } from "./Waveform";

const rates = [0.5, 0.75, 1, 1.25, 1.5, 2];
const none: readonly number[][] = [];

/** The bar at the bottom; it appears with the first sound. */
export function PlayerBar() {
  const { t } = useTranslation();
  const format = useFormat();
  const { generation, playing, time, duration, rate, failed } = usePlayer();
  const peaks = usePeaks(generation ?? undefined);
  const play = playing ? t("player.pause") : t("player.play");
  useCommands(generation ? [
    { id: "player:toggle", title: play, shortcut: "space", run: player.toggle },
    { id: "player:close", title: t("player.close"), run: player.close },
  ] : []);
  if (!generation) return null;
  const rateText = (r: number) => `${format.number(r)}×`;
  return (
    <section className="p-bar" aria-label={t("player.title")}>
      <Tooltip text={play} shortcut="space">
        <button type="button" className="p-play" aria-label={play} onClick={player.toggle}>{playing ? <Pause size={16} fill="currentColor" aria-hidden /> : <Play size={16} fill="currentColor" aria-hidden />}</button>
      </Tooltip>
      <time>{format.clock(time)}</time>
      {failed ? <p className="flex-1 text-danger" role="alert">{t("player.failed")}</p> : (
        <Waveform peaks={peaks.data?.peaks ?? none} at={time} duration={duration} label={t("player.position")} onSeek={player.seek} />
      )}
      <time>{format.clock(duration)}</time>
      <Menu groups={[rates.map((r) => ({ label: rateText(r), checked: r === rate, onSelect: () => player.setRate(r) }))]}>
        <Button kind="quiet" size="small" aria-label={t("player.rate", { rate: rateText(rate) })}>{rateText(rate)}</Button>
      </Menu>
      <IconButton label={t("player.close")} icon={<X size={16} />} onClick={player.close} />
    </section>
  );
}
