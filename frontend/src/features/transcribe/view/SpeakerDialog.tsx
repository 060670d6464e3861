import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button, Chip, Dialog, SegmentedControl, TextField } from "@/ui";
import { assignSpeaker, type Scope } from "../text/speakers";
import type { Page } from "./usePage";

const formId = "speaker-form";

/** Names the speaker of a paragraph, or of everything from there on. */
export function SpeakerDialog({ page, segment, onClose }: { page: Page; segment: number; onClose(): void }) {
  const { t } = useTranslation("transcribe");
  const before = page.segments.find(({ id }) => id === segment)?.speaker ?? "";
  const [name, setName] = useState(before);
  const [scope, setScope] = useState<Scope>("paragraph");
  function assign(speaker: string) {
    page.editor.change(assignSpeaker(page.segments, segment, scope, speaker));
    void page.editor.save();
    onClose();
  }
  function onSubmit(event: FormEvent) {
    event.preventDefault();
    assign(name.trim());
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t("speaker.title")}
      footer={
        <>
          <Button onClick={onClose}>{t("common:cancel")}</Button>
          {before === "" ? null : <Button onClick={() => assign("")}>{t("speaker.remove")}</Button>}
          <Button kind="primary" type="submit" form={formId} disabled={name.trim() === ""}>
            {t("speaker.assign")}
          </Button>
        </>
      }
    >
      <form id={formId} className="grid gap-4" onSubmit={onSubmit}>
        <TextField label={t("speaker.name")} value={name} maxLength={100} onChange={setName} autoFocus />
        {page.speakers.length > 0 ? (
          <div className="flex flex-wrap gap-2" role="group" aria-label={t("speaker.known")}>
            {page.speakers.map((one) => (
              <Chip key={one} pressed={one === name} onClick={() => setName(one)}>
                {one}
              </Chip>
            ))}
          </div>
        ) : null}
        <SegmentedControl<Scope>
          label={t("speaker.scope")}
          wide
          value={scope}
          onChange={setScope}
          segments={[
            { value: "paragraph", label: t("speaker.paragraph") },
            { value: "onwards", label: t("speaker.onwards") },
          ]}
        />
      </form>
    </Dialog>
  );
}
