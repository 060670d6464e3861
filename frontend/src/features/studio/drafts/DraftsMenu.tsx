import { FilePlus, FolderOpen, Pencil, Trash2 } from "lucide-react";
import { Popover } from "radix-ui";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { kindOf, useDraftCount, useDrafts, type DraftRow } from "@/api/drafts";
import { useFormat } from "@/i18n/format";
import { useStore } from "@/lib/store";
import { Badge, Button, ErrorBox, IconButton } from "@/ui";
import { RenameDialog } from "./RenameDialog";
import type { DraftActions } from "./useDraftActions";

function Row({
  draft,
  isOpen,
  actions,
  close,
  rename,
}: {
  draft: DraftRow;
  isOpen: boolean;
  actions: DraftActions;
  close(): void;
  rename(): void;
}) {
  const { t } = useTranslation("studio");
  const format = useFormat();
  return (
    <li className="st-draft" data-open={isOpen ? "" : undefined}>
      <button
        type="button"
        className="min-w-0 flex-1 text-start"
        aria-current={isOpen || undefined}
        onClick={() => {
          actions.open(draft);
          close();
        }}
      >
        <span className="block truncate [text-align:match-parent]" dir="auto">
          {draft.name}
        </span>
        <span className="block text-12 text-ink-3">
          {kindOf(draft) === "script" ? `${t("mode.script")} · ` : ""}
          {format.ago(draft.updated_at)}
        </span>
      </button>
      <IconButton
        label={t("drafts.renameOf", { name: draft.name })}
        icon={<Pencil size={14} />}
        onClick={() => {
          close();
          rename();
        }}
      />
      <IconButton
        label={t("drafts.deleteOf", { name: draft.name })}
        icon={<Trash2 size={14} />}
        onClick={() => actions.remove(draft)}
      />
    </li>
  );
}

/** Fetched only while the menu is open. */
function List({ actions, close, rename }: { actions: DraftActions; close(): void; rename(draft: DraftRow): void }) {
  const { t } = useTranslation("studio");
  const drafts = useDrafts();
  const { id } = useStore(actions.draftStore.state);
  const shown = drafts.items.filter((draft) => !actions.hidden.includes(draft.id));
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
      <ul className="max-h-[min(18rem,50cqh)] overflow-y-auto">
        {shown.map((draft) => (
          <Row
            key={draft.id}
            draft={draft}
            isOpen={draft.id === id}
            actions={actions}
            close={close}
            rename={() => rename(draft)}
          />
        ))}
        {shown.length === 0 && !drafts.isLoading ? <li className="p-3 text-ink-2">{t("drafts.none")}</li> : null}
      </ul>
      {drafts.hasMore ? (
        <Button kind="quiet" size="small" busy={drafts.isLoadingMore} onClick={() => void drafts.loadMore()}>
          {t("drafts.more")}
        </Button>
      ) : null}
    </>
  );
}

export function DraftsMenu({ actions, openFile }: { actions: DraftActions; openFile(): void }) {
  const { t } = useTranslation("studio");
  const [open, setOpen] = useState(false);
  const opened = useRef(actions.draftStore.state.get().opened);
  function show(next: boolean) {
    if (next) opened.current = actions.draftStore.state.get().opened;
    setOpen(next);
  }
  /** Moves the focus to the opened page, or back to the button if none was opened. */
  function keepFocus(event: Event) {
    if (opened.current !== actions.draftStore.state.get().opened) event.preventDefault();
  }
  const [renamed, setRenamed] = useState<DraftRow | null>(null);
  const count = useDraftCount() - actions.hidden.length;
  const close = () => setOpen(false);
  return (
    <>
      <Popover.Root open={open} onOpenChange={show}>
        <Popover.Trigger asChild>
          <Button kind="quiet" size="small" className="st-drafts">
            <span className="truncate" title={t("drafts.title")}>
              {t("drafts.title")}
            </span>
            {count > 0 ? <Badge>{count}</Badge> : null}
          </Button>
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Content
            className="k-float w-80 p-1"
            sideOffset={4}
            collisionPadding={8}
            align="start"
            aria-label={t("drafts.title")}
            onCloseAutoFocus={keepFocus}
          >
            <List actions={actions} close={close} rename={setRenamed} />
            <div className="flex gap-1 border-t border-line pt-1 mt-1">
              <Button
                kind="quiet"
                size="small"
                icon={<FilePlus size={14} />}
                onClick={() => {
                  actions.create();
                  close();
                }}
              >
                {t("drafts.new")}
              </Button>
              <Button
                kind="quiet"
                size="small"
                icon={<FolderOpen size={14} />}
                onClick={() => {
                  close();
                  openFile();
                }}
              >
                {t("files.open")}
              </Button>
            </div>
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
      <RenameDialog key={renamed?.id} draft={renamed} close={() => setRenamed(null)} save={actions.rename} />
    </>
  );
}
