import { FilePlus, FolderOpen, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { kindOf, useDraftCount, useDrafts, type DraftRow } from "@/api/drafts";
import { useFormat } from "@/i18n/format";
import { Badge, Button, ErrorBox, IconButton, Popover } from "@/ui";
import { RenameDialog } from "./RenameDialog";
import "./draftsMenu.css";

/** What a screen does with drafts. */
export interface DraftsMenuActions {
  /** Drafts that are being deleted. */
  hidden: readonly string[];
  open(draft: DraftRow): void;
  create(): void;
  rename(draft: DraftRow, name: string): void;
  remove(draft: DraftRow): void;
  openFile(): void;
}

interface Props {
  /** The kind of drafts that the screen shows; the others say theirs. */
  kind: "text" | "script";
  /** The draft that is open. */
  current: string | undefined;
  actions: DraftsMenuActions;
  /** Reports whether the screen moves the focus to a draft that was opened. */
  movesFocus?(): boolean;
}

interface ListProps extends Pick<Props, "kind" | "current" | "actions"> {
  close(): void;
  rename(draft: DraftRow): void;
}

function Row({ draft, kind, current, actions, close, rename }: ListProps & { draft: DraftRow }) {
  const { t } = useTranslation();
  const format = useFormat();
  const isOpen = draft.id === current;
  const kindOfDraft = kindOf(draft) === "script" ? "script" : "text";
  return (
    <li className="dr-row" data-open={isOpen ? "" : undefined}>
      <button
        type="button"
        className="min-w-0 flex-1 text-start"
        aria-current={isOpen || undefined}
        onClick={() => {
          close();
          actions.open(draft);
        }}
      >
        <span className="block truncate [text-align:match-parent]" dir="auto">
          {draft.name}
        </span>
        <span className="block text-12 text-ink-3">
          {kindOfDraft === kind ? "" : `${t(`drafts.kind.${kindOfDraft}`)} · `}
          {format.ago(draft.updated_at)}
        </span>
      </button>
      <IconButton
        label={t("drafts.renameOf", { name: draft.name })}
        icon={<Pencil size={14} />}
        onClick={() => {
          close();
          rename(draft);
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
function List(props: ListProps) {
  const { t } = useTranslation();
  const drafts = useDrafts();
  const shown = drafts.items.filter((draft) => !props.actions.hidden.includes(draft.id));
  if (drafts.error)
    return (
      <ErrorBox
        error={drafts.error}
        action={
          <Button size="small" onClick={() => void drafts.refetch()}>
            {t("retry")}
          </Button>
        }
      />
    );
  return (
    <>
      <ul className="max-h-[min(18rem,50cqh)] overflow-y-auto">
        {shown.map((draft) => (
          <Row key={draft.id} draft={draft} {...props} />
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

/** The saved drafts, newest first: texts and scripts. */
export function DraftsMenu({ kind, current, actions, movesFocus }: Props) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const [renamed, setRenamed] = useState<DraftRow | null>(null);
  const count = useDraftCount() - actions.hidden.length;
  const close = () => setOpen(false);
  function act(run: () => void) {
    close();
    run();
  }
  return (
    <>
      <Popover.Root open={open} onOpenChange={setOpen}>
        <Popover.Trigger asChild>
          <Button kind="quiet" size="small" className="dr-menu">
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
            onCloseAutoFocus={(event) => {
              if (movesFocus?.()) event.preventDefault();
            }}
          >
            <List kind={kind} current={current} actions={actions} close={close} rename={setRenamed} />
            <div className="mt-1 flex gap-1 border-t border-line pt-1">
              <Button kind="quiet" size="small" icon={<FilePlus size={14} />} onClick={() => act(actions.create)}>
                {t(`drafts.new.${kind}`)}
              </Button>
              <Button kind="quiet" size="small" icon={<FolderOpen size={14} />} onClick={() => act(actions.openFile)}>
                {t("drafts.openFile")}
              </Button>
            </div>
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
      <RenameDialog key={renamed?.id} draft={renamed} close={() => setRenamed(null)} save={actions.rename} />
    </>
  );
}
