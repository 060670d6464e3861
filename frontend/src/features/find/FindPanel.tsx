import { CaseSensitive, ChevronDown, ChevronRight, ChevronUp, Regex, WholeWord, X } from "lucide-react";
import { Suspense, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { Button, IconButton, TextField } from "@/ui";
import { expressionOf, type FindQuery } from "./query";
import "./find.css";

/** How the panel was opened; each request focuses its field again. */
export interface FindRequest {
  withReplace: boolean;
  n: number;
}

interface Props {
  request: FindRequest;
  query: FindQuery;
  /** The number of matches, and the selected one from 0; -1 if none is selected. */
  count: number;
  current: number;
  /** The text can be changed; true if left out. */
  canReplace?: boolean;
  showReplace(isShown: boolean): void;
  onQuery(query: FindQuery): void;
  step(by: 1 | -1): void;
  replace(): void;
  replaceAll(): void;
  close(): void;
}

/** Find and replace above a text. */
export function FindPanel(props: Props) {
  return (
    <Suspense fallback={null}>
      <Panel {...props} />
    </Suspense>
  );
}

function Toggle({
  label,
  icon,
  value,
  onChange,
}: {
  label: string;
  icon: ReactNode;
  value: boolean;
  onChange(value: boolean): void;
}) {
  return <IconButton label={label} icon={icon} aria-pressed={value} onClick={() => onChange(!value)} />;
}

/** "3 of 17", or why there is nothing to go to. */
function useCount({ query, count, current }: Props): string {
  const { t } = useTranslation("find");
  const format = useFormat();
  if (query.search === "") return "";
  if (!expressionOf(query)) return t("invalid");
  if (count === 0) return t("none");
  if (current < 0) return t("count", { count, number: format.number(count) });
  return t("position", { at: format.number(current + 1), number: format.number(count) });
}

function Panel(props: Props) {
  const { request, query, count, canReplace = true, onQuery, step, replace, replaceAll, close, showReplace } = props;
  const { t } = useTranslation("find");
  const field = useRef<HTMLInputElement>(null);
  const counted = useCount(props);
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, [request.n]);
  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") close();
    else if (event.key === "F3") step(event.shiftKey ? -1 : 1);
    else if (event.key === "Enter" && event.target === field.current) step(event.shiftKey ? -1 : 1);
    else if (event.key === "Enter" && event.target instanceof HTMLInputElement) replace();
    else return;
    event.preventDefault();
  }
  const none = count === 0;
  return (
    // The keys of the fields and buttons inside, which are focusable themselves.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div className="fd-panel" role="search" aria-label={t("title")} onKeyDown={onKeyDown}>
      <IconButton
        label={t("showReplace")}
        icon={request.withReplace ? <ChevronDown size={16} /> : <ChevronRight size={16} />}
        aria-expanded={request.withReplace}
        disabled={!canReplace}
        onClick={() => showReplace(!request.withReplace)}
      />
      <div className="fd-rows">
        <div className="fd-row">
          <TextField
            ref={field}
            label={t("find")}
            hideLabel
            placeholder={t("find")}
            className="fd-field"
            value={query.search}
            maxLength={1000}
            onChange={(search) => onQuery({ ...query, search })}
            end={
              <span role="status" className="fd-count">
                {counted}
              </span>
            }
          />
          <Toggle
            label={t("matchCase")}
            icon={<CaseSensitive size={16} />}
            value={query.matchCase}
            onChange={(matchCase) => onQuery({ ...query, matchCase })}
          />
          <Toggle
            label={t("wholeWords")}
            icon={<WholeWord size={16} />}
            value={query.wholeWords}
            onChange={(wholeWords) => onQuery({ ...query, wholeWords })}
          />
          <Toggle
            label={t("expression")}
            icon={<Regex size={16} />}
            value={query.isExpression}
            onChange={(isExpression) => onQuery({ ...query, isExpression })}
          />
          <IconButton label={t("previous")} icon={<ChevronUp size={16} />} disabled={none} onClick={() => step(-1)} />
          <IconButton label={t("next")} icon={<ChevronDown size={16} />} disabled={none} onClick={() => step(1)} />
          <IconButton label={t("common:close")} icon={<X size={16} />} onClick={close} />
        </div>
        {request.withReplace ? (
          <div className="fd-row">
            <TextField
              label={t("replaceWith")}
              hideLabel
              placeholder={t("replaceWith")}
              className="fd-field"
              value={query.replace}
              maxLength={1000}
              onChange={(replace) => onQuery({ ...query, replace })}
            />
            <Button size="small" disabled={none} onClick={replace}>
              {t("replace")}
            </Button>
            <Button size="small" disabled={none} onClick={replaceAll}>
              {t("replaceAll")}
            </Button>
          </div>
        ) : null}
      </div>
    </div>
  );
}
