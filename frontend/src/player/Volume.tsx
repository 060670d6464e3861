import { Volume, Volume1, Volume2, VolumeX } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { IconButton, Popover, Slider } from "@/ui";
import { output, useVolume } from "./output";

function VolumeIcon({ volume }: { volume: number }) {
  if (volume === 0) return <VolumeX size={16} aria-hidden />;
  if (volume < 0.34) return <Volume size={16} aria-hidden />;
  return volume < 0.67 ? <Volume1 size={16} aria-hidden /> : <Volume2 size={16} aria-hidden />;
}

/** The volume of the window, stored in this browser. */
export function VolumeButton() {
  const { t } = useTranslation();
  const format = useFormat();
  const volume = useVolume();
  const text = format.percent(volume);
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <IconButton label={t("player.volumeAt", { part: text })} icon={<VolumeIcon volume={volume} />} />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="k-float w-52 p-3"
          side="top"
          sideOffset={8}
          collisionPadding={8}
          aria-label={t("player.volume")}
        >
          <Slider
            label={t("player.volume")}
            value={volume}
            min={0}
            max={1}
            step={0.05}
            text={text}
            onChange={(next) => output.setVolume(next, false)}
            onCommit={output.setVolume}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
