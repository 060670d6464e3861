import type { TFunction } from "i18next";
import { AudioLines, ChevronDown, Copy, Download, FolderOpen } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { fileCopier, fileShower, saveAs, saveFormats, type SaveFormat } from "@/api/save";
import { useSystem } from "@/api/system";
import { Button, Menu, useToast, type MenuGroups } from "@/ui";
import type { Sound } from "./store";

/** The menu items that save in one of these formats. */
export function saveGroups(
  t: TFunction<"common">,
  formats: readonly (readonly SaveFormat[])[],
  save: (format: SaveFormat) => void,
): MenuGroups {
  return formats.map((group) =>
    group.map((format) => ({
      label: t("common:export.saveAs", { format: format.toUpperCase() }),
      icon: <Download size={16} aria-hidden />,
      onSelect: () => save(format),
    })),
  );
}

/** All exports of the audio in the player. */
export function Export({ generation, onProblem }: { generation: Sound; onProblem(error: unknown): void }) {
  const { t } = useTranslation("common");
  const toast = useToast();
  const encoders = useSystem().data?.encoders;
  const [saving, setSaving] = useState<SaveFormat | null>(null);
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
  async function save(format: SaveFormat) {
    setSaving(format);
    await guarded(() => saveAs(generation, format, t("export.file")));
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
  return (
    <Menu groups={[...saveGroups(t, saveFormats(encoders), (format) => void save(format)), others]}>
      <Button size="small" className="p-export" busy={saving !== null} icon={<Download size={16} aria-hidden />}>
        {saving ? t("export.saving", { format: saving.toUpperCase() }) : t("export.title")}
        <ChevronDown size={14} aria-hidden />
      </Button>
    </Menu>
  );
}
