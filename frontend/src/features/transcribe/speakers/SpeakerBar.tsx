import { AudioLines, Merge, MoreHorizontal, Waypoints } from "lucide-react";
import { useMemo, useRef, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import { Suggestions } from "@/features/speakers";
import { useFormat } from "@/i18n/format";
import { Button, cx, IconButton, Menu, Tooltip, useFocusOnRemoval } from "@/ui";
import { speakerClass } from "../text/speakers";
import type { Page } from "../view/usePage";
import { sharesOf, type Share } from "./shares";
import { SpeakerName } from "./SpeakerName";
import type { SpeakerActions } from "./useSpeakerActions";
import "./speakers.css";

interface Props {
  page: Page;
  actions: SpeakerActions;
}

/** One speaker: the number that filters, the name, how much he or she says, and what can be done. */
function SpeakerItem({ page, actions, share, list }: Props & { share: Share; list: RefObject<HTMLElement | null> }) {
  const { t } = useTranslation(["speakers", "known-speakers"]);
  const format = useFormat();
  const { speakers, filter, isEditable } = page;
  const { name, seconds, part, lines } = share;
  const others = speakers.filter((other) => other !== name);
  const isShown = filter.shown.has(name);
  const focusOnRemoval = useFocusOnRemoval(list);
  const merge = {
    label: t("merge.with"),
    icon: <Merge size={16} aria-hidden />,
    onSelect: () => undefined,
    items: [others.map((other) => ({ label: other, onSelect: () => actions.merge(name, other) }))],
  };
  const remember = {
    label: t("known-speakers:recognise"),
    icon: <AudioLines size={16} aria-hidden />,
    onSelect: () => actions.remember(name),
  };
  const words = [
    format.clock(seconds),
    format.percent(part),
    t("lines", { count: lines, number: format.number(lines) }),
  ];
  return (
    <li
      ref={focusOnRemoval}
      className={cx("tr-who", speakerClass(speakers, name))}
      data-off={filter.shown.size > 0 && !isShown ? "" : undefined}
    >
      <Tooltip text={t("filter", { name })}>
        <button
          type="button"
          className="tr-number"
          aria-label={t("filter", { name })}
          aria-pressed={isShown}
          onClick={() => filter.toggle(name)}
        >
          {format.number(speakers.indexOf(name) + 1)}
        </button>
      </Tooltip>
      <SpeakerName name={name} disabled={!isEditable} onRename={(next) => actions.rename(name, next)} />
      <span className="tr-share">{words.join(" · ")}</span>
      {isEditable ? (
        <Menu groups={[others.length > 0 ? [merge] : [], [remember]]}>
          <IconButton size="small" label={t("more", { name })} icon={<MoreHorizontal size={16} />} />
        </Menu>
      ) : null}
    </li>
  );
}

function FilterStatus({ page }: { page: Page }) {
  const { t } = useTranslation("speakers");
  const format = useFormat();
  const { segments, visible, filter } = page;
  if (filter.shown.size === 0) return null;
  const words = {
    count: segments.length,
    number: format.number(visible.length),
    total: format.number(segments.length),
  };
  return (
    <div className="tr-filter">
      <span role="status">{t("filtered", words)}</span>
      <Button size="small" kind="quiet" onClick={filter.clear}>
        {t("showAll")}
      </Button>
    </div>
  );
}

/** Who speaks in a transcript: names, how much each says, and a filter; nothing where no line has a speaker. */
export function SpeakerBar({ page, actions }: Props) {
  const { t } = useTranslation("speakers");
  const { segments, speakers } = page;
  const shares = useMemo(() => sharesOf(segments, speakers), [segments, speakers]);
  const list = useRef<HTMLUListElement>(null);
  if (speakers.length === 0) return null;
  return (
    <section className="tr-speakers" aria-label={t("title")}>
      <ul ref={list}>
        {shares.map((share, place) => (
          // By its place, which a speaker keeps with another name, as does the focus.
          <SpeakerItem key={place} page={page} actions={actions} share={share} list={list} />
        ))}
      </ul>
      <FilterStatus page={page} />
      {actions.reassign ? (
        <Tooltip text={t("reassign.hint")}>
          <Button size="small" icon={<Waypoints size={14} aria-hidden />} onClick={actions.reassign}>
            {t("reassign.run")}
          </Button>
        </Tooltip>
      ) : null}
      <Suggestions
        transcript={page.transcript}
        classOf={(name) => speakerClass(speakers, name)}
        onUse={actions.accept}
      />
    </section>
  );
}
