import { MoreHorizontal, Pencil, Play, RotateCcw } from "lucide-react";
import { Fragment, type KeyboardEvent, type MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { cx, IconButton, Menu, Tooltip } from "@/ui";
import { useLineMenu } from "../speakers/lineMenu";
import type { SpeakerActions } from "../speakers/useSpeakerActions";
import type { Hit } from "../text/find";
import { gapAfter, type Paragraph } from "../text/paragraphs";
import { speakerClass } from "../text/speakers";
import type { PageDialog } from "./dialogs";
import { SegmentField, SegmentText } from "./SegmentText";
import { soundOf } from "./sound";
import type { Page } from "./usePage";

interface Props {
  page: Page;
  paragraph: Paragraph;
  index: number;
  hits: readonly Hit[];
  current: readonly Hit[];
  marks: boolean;
  actions: SpeakerActions;
  onDialog(dialog: PageDialog): void;
}

/** Moves the focus to the time of another paragraph. */
function focusTime(index: number): void {
  document.querySelector<HTMLElement>(`[data-time="${index}"]`)?.focus();
}

function Text({ page, paragraph, hits, current, marks }: Omit<Props, "index" | "actions" | "onDialog">) {
  let before = "";
  return paragraph.segments.map((segment) => {
    const gap = gapAfter(before);
    before = segment.text.trim();
    return (
      <Fragment key={segment.id}>
        {gap}
        {page.editing === segment.id ? (
          <SegmentField
            segment={segment}
            onChange={(text) => page.editor.change([{ id: segment.id, text }])}
            onEnd={() => page.endEdit(segment.id)}
            onNext={page.editNext}
          />
        ) : (
          <SegmentText
            segment={segment}
            hits={hits.length === 0 ? hits : hits.filter((one) => one.segment === segment.id)}
            current={current}
            marks={marks}
          />
        )}
      </Fragment>
    );
  });
}

function RowMenu(props: Pick<Props, "page" | "paragraph" | "actions" | "onDialog">) {
  const { page, paragraph, onDialog } = props;
  const { t } = useTranslation("transcribe");
  const format = useFormat();
  const { id, start, end } = paragraph;
  const speakerItems = useLineMenu(props);
  const play = {
    label: t("playFrom", { time: format.clock(start) }),
    icon: <Play size={16} aria-hidden />,
    onSelect: () => page.play(start),
  };
  return (
    <Menu
      groups={[
        soundOf(page.transcript) ? [play] : [],
        [
          {
            label: t("edit"),
            icon: <Pencil size={16} aria-hidden />,
            shortcut: "e",
            onSelect: () => requestAnimationFrame(() => page.edit(id)), // after the menu has returned the focus
          },
          ...speakerItems,
          {
            label: t("rerun.part"),
            icon: <RotateCcw size={16} aria-hidden />,
            onSelect: () => onDialog({ kind: "rerun", from: start, to: end }),
          },
        ],
      ]}
    >
      <IconButton label={t("paragraphMenu", { time: format.clock(start) })} icon={<MoreHorizontal size={16} />} />
    </Menu>
  );
}

/** A paragraph with its time in the margin, its speaker and its words. */
export function ParagraphRow(props: Props) {
  const { page, paragraph, index, actions, onDialog } = props;
  const { t } = useTranslation("transcribe");
  const format = useFormat();
  const time = format.clock(paragraph.start);
  const isNamed = paragraph.speaker !== "" && page.paragraphs[index - 1]?.speaker !== paragraph.speaker;
  const canPlay = soundOf(page.transcript) !== null;

  function onClick(event: MouseEvent) {
    const word = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-start]") : null;
    if (word && window.getSelection()?.isCollapsed !== false) page.play(Number(word.dataset.start));
  }
  function onDoubleClick(event: MouseEvent) {
    const segment = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-segment]") : null;
    if (!segment) return;
    window.getSelection()?.removeAllRanges();
    page.edit(Number(segment.dataset.segment));
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    focusTime(index + step);
  }
  return (
    <div className="tr-par" data-from-segment={paragraph.id}>
      <Tooltip text={t("playFrom", { time })}>
        <button
          type="button"
          className="tr-time"
          data-time={index}
          aria-label={t("playFrom", { time })}
          aria-disabled={!canPlay || undefined} // it takes the focus also without audio
          onClick={() => page.play(paragraph.start)}
          onKeyDown={onKeyDown}
        >
          {time}
        </button>
      </Tooltip>
      <div className="min-w-0">
        {isNamed ? (
          <button
            type="button"
            className={cx("tr-speaker", speakerClass(page.speakers, paragraph.speaker))}
            title={t("speaker.set")}
            disabled={!page.isEditable}
            onClick={() => onDialog({ kind: "speaker", segment: paragraph.id })}
          >
            {paragraph.speaker}
          </button>
        ) : null}
        {/* Words are clicked to play from them; with the keyboard the time in the margin does that, and E edits. */}
        {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions */}
        <p
          dir="auto"
          className={cx("tr-text", canPlay && "tr-playable")}
          onClick={canPlay ? onClick : undefined}
          onDoubleClick={page.isEditable ? onDoubleClick : undefined}
        >
          <Text {...props} />
        </p>
      </div>
      <div className="tr-more">
        {page.isEditable ? <RowMenu page={page} paragraph={paragraph} actions={actions} onDialog={onDialog} /> : null}
      </div>
    </div>
  );
}
