import { AudioLines, ChevronDown, Copy, Download, FolderOpen, type LucideIcon } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { fileCopier, fileName, fileShower, saveAs, type SaveRequest } from "@/api/save";
import { useSystem } from "@/api/system";
import { Button, IconButton, Menu, useToast, type MenuItem } from "@/ui";
import { useIsOlder } from "./older";
import { exportGroups, exportSound, useSoundChoice } from "./soundExport";
import type { Sound } from "./state";

/** What else can be done with the text and the file of audio: menu items. */
export function useFileItems(
  { text, audio_path: path }: Pick<Sound, "text" | "audio_path">,
  onProblem: (error: unknown) => void,
): MenuItem[] {
  const { t } = useTranslation("common");
  const toast = useToast();
  const show = fileShower();
  const copyFile = fileCopier();
  const run = (work: () => Promise<void>) => () => {
    onProblem(null);
    work().catch(onProblem);
  };
  const item = (label: string, Icon: LucideIcon, work: () => Promise<void>): MenuItem => ({
    label,
    icon: <Icon size={16} aria-hidden />,
    onSelect: run(work),
  });
  return [
    item(t("export.copyText"), Copy, async () => {
      await navigator.clipboard.writeText(text);
      toast({ text: t("export.copied") });
    }),
    ...(copyFile
      ? [
          item(t("export.copyFile"), AudioLines, async () => {
            await copyFile(path);
            toast({ text: t("export.copiedFile") });
          }),
        ]
      : []),
    ...(show ? [item(t("export.showFile"), FolderOpen, () => show(path))] : []),
  ];
}

/** All exports of the audio in the player. */
export function Export({ generation, onProblem }: { generation: Sound; onProblem(error: unknown): void }) {
  const { t } = useTranslation("common");
  const encoders = useSystem().data?.encoders;
  const [saving, setSaving] = useState<SaveRequest | null>(null);
  const sound = useSoundChoice();
  const isOlder = useIsOlder(generation.id);
  const others = useFileItems(generation, onProblem);

  async function save(request: SaveRequest) {
    setSaving(request);
    onProblem(null);
    try {
      await saveAs(generation, request, t("export.file"));
    } catch (error) {
      onProblem(error);
    }
    setSaving(null);
  }
  const name = fileName(generation, t("export.file"));
  const exported = { name, save: (request: SaveRequest) => void save(request) };
  const label = isOlder ? t("export.old") : t("export.as", { format: sound.format.toUpperCase() });
  return (
    <span className="p-export">
      <Button
        size="small"
        hint={t("export.named", { name })}
        busy={saving !== null}
        icon={<Download size={16} aria-hidden />}
        onClick={() => exportSound(exported, encoders)}
      >
        {saving ? t("export.saving", { format: saving.format.toUpperCase() }) : label}
      </Button>
      <Menu title={t("export.named", { name })} groups={[...exportGroups(t, exported), others]}>
        <IconButton label={t("export.more")} icon={<ChevronDown size={14} />} />
      </Menu>
    </span>
  );
}
