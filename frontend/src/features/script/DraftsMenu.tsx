import { FilePlus, Trash2 } from "lucide-react";
import { Popover } from "radix-ui";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { kindOf, useDeleteDraft, useDrafts, type DraftRow } from "@/api/drafts";
import { draftHref } from "@/lib/draftLink";
import { href, navigate } from "@/lib/router";
import { useFormat } from "@/i18n/format";
import { Button, ErrorBox, IconButton, useUndo } from "@/ui";

const fresh = "new";
/** The address of an empty script; the id after it makes each of them a separate page. */
export const openNew = (): void => navigate(href("script", [], { [fresh]: Date.now().toString(36) }));

interface ListProps {
  current: string | undefined;
  hidden: readonly string[];
  go(run: () => void): void;
  remove(draft: DraftRow): void;
}

/** Fetched only while the menu is open. */
function List({ current, hidden, go, remove }: ListProps) {
  const { t } = useTranslation("script");
  const format = useFormat();
  const drafts = useDrafts();
  const shown = drafts.items.filter((draft) => !hidden.includes(draft.id));
  if (drafts.error)
    return (
      <ErrorBox
        error={drafts.error}
        action={
          <Button size="small" onClick={() => void drafts.refetch()}>
            {t("common:retry")}
          </Button>
        }
      />
    );
  return (
    <>
      <ul className="max-h-[min(20rem,50cqh)] overflow-y-auto">
        {shown.map((draft) => (
          <li key={draft.id} className="flex items-center rounded-m hover:bg-fill-2">
            <button
              type="button"
              aria-current={draft.id === current ? "page" : undefined}
              className="min-w-0 flex-1 px-2 py-1.5 text-start aria-[current]:font-medium"
              onClick={() =>
                go(() => navigate(kindOf(draft) === "script" ? href("script", [draft.id]) : draftHref(draft.id)))
              }
            >
              <span className="block truncate [text-align:match-parent]" dir="auto">
                {draft.name}
              </span>
              <span className="text-12 text-ink-3">
                {kindOf(draft) === "script" ? "" : `${t("text")} · `}
                {format.ago(draft.updated_at)}
              </span>
            </button>
            {draft.id === current ? null : (
              <IconButton
                label={t("deleteDraft", { name: draft.name })}
                icon={<Trash2 size={14} />}
                onClick={() => remove(draft)}
              />
            )}
          </li>
        ))}
        {shown.length === 0 && !drafts.isLoading ? <li className="p-2 text-ink-2">{t("noDrafts")}</li> : null}
      </ul>
      {drafts.hasMore ? (
        <Button kind="quiet" size="small" busy={drafts.isLoadingMore} onClick={() => void drafts.loadMore()}>
          {t("moreDrafts")}
        </Button>
      ) : null}
    </>
  );
}

/** The saved scripts, newest first. */
export function DraftsMenu({ current }: { current: string | undefined }) {
  const { t } = useTranslation("script");
  const undo = useUndo();
  const forget = useDeleteDraft();
  const [open, setOpen] = useState(false);
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const show = (id: string) => setHidden((ids) => ids.filter((other) => other !== id));
  function go(run: () => void) {
    setOpen(false);
    run();
  }
  function remove({ id, name }: DraftRow) {
    setHidden((ids) => [...ids, id]);
    undo({
      text: t("draftDeleted", { name }),
      undo: () => show(id),
      commit: () => forget.mutate(id, { onSettled: () => show(id) }),
    });
  }
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <Button kind="quiet" size="small" className="min-w-0 flex-[0_1_auto]">
          <span className="truncate" title={t("drafts")}>
            {t("drafts")}
          </span>
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="k-float w-80 p-1"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={t("drafts")}
        >
          <List current={current} hidden={hidden} go={go} remove={remove} />
          <div className="mt-1 border-t border-line pt-1">
            <Button kind="quiet" size="small" icon={<FilePlus size={14} aria-hidden />} onClick={() => go(openNew)}>
              {t("newScript")}
            </Button>
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
