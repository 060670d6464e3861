import { FilePlus, Trash2 } from "lucide-react";
import { Popover } from "radix-ui";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useDeleteDraft } from "@/api/drafts";
import type { Draft } from "@/api/types";
import { href, navigate } from "@/app/router";
import { useFormat } from "@/i18n/format";
import { Badge, Button, IconButton, useUndo } from "@/ui";

const fresh = "new";
/** The address of an empty script; the name after it makes every one a page of its own. */
export const openNew = (): void => navigate(href("script", [], { [fresh]: Date.now().toString(36) }));

/** The scripts that are kept, the newest first. */
export function DraftsMenu({ drafts, current }: { drafts: readonly Draft[]; current: string | undefined }) {
  const { t } = useTranslation("script");
  const format = useFormat();
  const undo = useUndo();
  const forget = useDeleteDraft();
  const [open, setOpen] = useState(false);
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const shown = drafts.filter((draft) => !hidden.includes(draft.id));
  function go(run: () => void) {
    setOpen(false);
    run();
  }
  function remove(draft: Draft) {
    setHidden((ids) => [...ids, draft.id]);
    undo({ text: t("draftDeleted", { name: draft.name }), undo: () => setHidden((ids) => ids.filter((id) => id !== draft.id)), commit: () => forget.mutate(draft.id) });
  }
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild><Button kind="quiet" size="small">{t("drafts")}{shown.length > 0 ? <Badge>{shown.length}</Badge> : null}</Button></Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="k-float w-80 max-w-[90vw] p-1" align="start" sideOffset={4} collisionPadding={8} aria-label={t("drafts")}>
          <ul className="max-h-80 overflow-y-auto">
            {shown.map((draft) => (
              <li key={draft.id} className="flex items-center rounded-m hover:bg-fill-2">
                <button type="button" aria-current={draft.id === current ? "page" : undefined} className="min-w-0 flex-1 px-2 py-1.5 text-start aria-[current]:font-medium" onClick={() => go(() => navigate(href("script", [draft.id])))}>
                  <span className="block truncate">{draft.name}</span><span className="text-12 text-ink-3">{format.ago(draft.updated_at)}</span>
                </button>
                {draft.id === current ? null : <IconButton label={t("deleteDraft", { name: draft.name })} icon={<Trash2 size={14} />} onClick={() => remove(draft)} />}
              </li>
            ))}
            {shown.length === 0 ? <li className="p-2 text-ink-2">{t("noDrafts")}</li> : null}
          </ul>
          <div className="mt-1 border-t border-line pt-1"><Button kind="quiet" size="small" icon={<FilePlus size={14} aria-hidden />} onClick={() => go(openNew)}>{t("newScript")}</Button></div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
