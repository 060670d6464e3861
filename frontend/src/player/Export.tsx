import { AudioLines, ChevronDown, Copy, Download, FolderOpen } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { fileCopier, fileShower, saveAs, type SaveRequest } from "@/api/save";
import { useSystem } from "@/api/system";
import { Button, IconButton, Menu, useToast } from "@/ui";
import { useIsOlder } from "./older";
import { exportGroups, exportSound, useSoundChoice } from "./soundExport";
import type { Sound } from "./state";

/** All exports of the audio in the player. */
export function Export({ generation, onProblem }: { generation: Sound; onProblem(error: unknown): void }) {
  const { t } = useTranslation("common");
  const toast = useToast();
  const encoders = useSystem().data?.encoders;
  const [saving, setSaving] = useState<SaveRequest | null>(null);
  const sound = useSoundChoice();
  const isOlder = useIsOlder(generation.id);
  const show = fileShower();
  const copyFile = fileCopier();

  async function guarded(work: () => Promise<void>) {
    onProblem(null);
    try {
      await work();
    } catch (error) {
      onProblem(error);
    }
  }
  async function save(request: SaveRequest) {
    setSaving(request);
    await guarded(() => saveAs(generation, request, t("export.file")));
    setSaving(null);
  }
  async function copy() {
    await navigator.clipboard.writeText(generation.text);
    toast({ text: t("export.copied") });
  }
  async function copySound(copyFile: (path: string) => Promise<void>) {
    await copyFile(generation.audio_path);
    toast({ text: t("export.copiedFile") });
  }
  const others = [
    { label: t("export.copyText"), icon: <Copy size={16} aria-hidden />, onSelect: () => void guarded(copy) },
    ...(copyFile
      ? [
          {
            label: t("export.copyFile"),
            icon: <AudioLines size={16} aria-hidden />,
            onSelect: () => void guarded(() => copySound(copyFile)),
          },
        ]
      : []),
    ...(show
      ? [
          {
            label: t("export.showFile"),
            icon: <FolderOpen size={16} aria-hidden />,
            onSelect: () => void guarded(() => show(generation.audio_path)),
          },
        ]
      : []),
  ];
  const saveSound = (request: SaveRequest) => void save(request);
  const label = isOlder ? t("export.old") : t("export.as", { format: sound.format.toUpperCase() });
  return (
    <span className="p-export">
      <Button
        size="small"
        busy={saving !== null}
        icon={<Download size={16} aria-hidden />}
        onClick={() => exportSound(saveSound, encoders)}
      >
        {saving ? t("export.saving", { format: saving.format.toUpperCase() }) : label}
      </Button>
      <Menu groups={[...exportGroups(t, saveSound), others]}>
        <IconButton label={t("export.more")} icon={<ChevronDown size={14} />} />
      </Menu>
    </span>
  );
}
