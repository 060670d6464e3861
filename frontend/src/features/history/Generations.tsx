import { AudioLines, SearchX } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { href, navigate, useRoute } from "@/lib/router";
import { useInspector } from "@/lib/slots";
import { usePayment } from "@/features/hosted";
import { useFormat } from "@/i18n/format";
import { Button, cx, EmptyState, ErrorBox, Skeleton, useFocusOnRemoval } from "@/ui";
import { Details } from "./Details";
import { toEntries } from "./entries";
import { FilterChips } from "./FilterChips";
import { filterHref, isFiltered, noFilter, readFilter, toQuery, type Filter } from "./filters";
import { HistoryList } from "./HistoryList";
import { Notices } from "./Notices";
import { hasSound } from "./rows";
import { SearchBar } from "./SearchBar";
import { SelectionBar } from "./SelectionBar";
import { useHidden } from "./state";
import { useActions } from "./useActions";
import { useListControl } from "./useListControl";
import { useRows } from "./useRows";

const restBeforeAddress = 300; // ms: a held arrow key must not write an address for each row

function useFilter() {
  const { query, segments } = useRoute();
  const address = query.toString();
  const filter = useMemo(() => readFilter(new URLSearchParams(address)), [address]);
  const today = new Date().toDateString(); // the range of "today" changes at midnight
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the query depends on the day
  const asked = useMemo(() => toQuery(filter), [filter, today]);
  const change = (changes: Partial<Filter>) =>
    navigate(filterHref({ ...filter, ...changes }, segments[0]), { replace: true });
  return { filter, asked, change, idInAddress: segments[0] ?? null };
}

export function Generations() {
  const { t } = useTranslation("history");
  const { filter, asked, change, idInAddress } = useFilter();
  const list = useRows(asked);
  const hidden = useHidden();
  const payment = usePayment();
  const actions = useActions(payment.pay);
  const { isOpen, setOpen } = useInspector();
  const rows = useMemo(() => list.rows.filter((row) => !hidden.has(row.id)), [list.rows, hidden]);
  const byDay = filter.sort === "newest" || filter.sort === "oldest";
  const entries = useMemo(() => toEntries(rows, byDay), [rows, byDay]);
  const order = useMemo(() => rows.map((row) => row.id), [rows]);
  const choosing = useChooseAll(list.loadAll);
  const control = useListControl({
    order,
    first: idInAddress,
    actions,
    onChooseAll: choosing.start,
    canPlay: (id) => rows.some((row) => row.id === id && hasSound(row)),
  });
  useAddress(control.active, control.setActive, idInAddress, filter);
  const { chooseAll, setActive } = control;
  const { pending, done } = choosing;
  useEffect(() => {
    if (pending !== "loaded") return;
    chooseAll(order);
    done();
  }, [pending, chooseAll, order, done]);

  const toList = () => document.querySelector<HTMLElement>('[role="grid"]')?.focus();
  const showDetails = useCallback(
    (id: string) => {
      setActive(id);
      setOpen(true);
    },
    [setActive, setOpen],
  );
  const resetKey = JSON.stringify(asked);
  const chosen = useMemo(() => rows.filter((row) => control.selection.ids.has(row.id)), [rows, control.selection]);
  const known =
    list.isLoading || list.error
      ? null
      : list.capped
        ? list.total
        : Math.max(0, list.total - (list.rows.length - rows.length));
  const hasNoRows = rows.length === 0 && !list.isLoading && !list.error && !list.hasMore;
  const isEmpty = hasNoRows && !isFiltered(filter);
  return (
    <>
      {isEmpty ? null : (
        <>
          <SearchBar filter={filter} found={known} capped={list.capped} onChange={change} onDown={toList} />
          <FilterChips filter={filter} onChange={change} />
        </>
      )}
      <Notices actions={actions} />
      {list.error && rows.length === 0 ? (
        <div className="p-4">
          <ErrorBox
            error={list.error}
            action={
              <Button size="small" onClick={() => void list.retry()}>
                {t("common:retry")}
              </Button>
            }
          />
        </div>
      ) : null}
      {list.isLoading ? <Loading /> : null}
      {hasNoRows ? (
        <Nothing filter={filter} onClear={() => change({ ...noFilter })} />
      ) : (
        <div className={cx("flex min-h-0 flex-1 flex-col", list.isStale && "opacity-60", list.isLoading && "hidden")}>
          <HistoryList
            entries={entries}
            total={list.total}
            hasMore={list.hasMore}
            resetKey={resetKey}
            control={control}
            told={isOpen ? control.active : null}
            actions={actions}
            onEnd={list.loadMore}
            onView={list.noteView}
            onDetails={showDetails}
          />
        </div>
      )}
      {choosing.pending === "loading" ? (
        <ChoosingAll loaded={rows.length} total={list.total} onStop={choosing.done} />
      ) : null}
      {chosen.length > 0 && choosing.pending !== "loading" ? (
        <SelectionBar rows={chosen} actions={actions} onRemove={control.remove} onClear={control.clear} />
      ) : null}
      {control.active !== null && (order.includes(control.active) || isOpen) && !hidden.has(control.active) ? (
        <Details id={control.active} actions={actions} />
      ) : null}
      {payment.dialog}
    </>
  );
}

/** Ctrl+A selects all results, so those that are not loaded yet are loaded first. */
function useChooseAll(loadAll: (isStopped: () => boolean) => Promise<boolean>) {
  const [pending, setPending] = useState<"no" | "loading" | "loaded">("no");
  const stopped = useRef(false);
  const done = useCallback(() => {
    stopped.current = true;
    setPending("no");
  }, []);
  const start = () => {
    stopped.current = false;
    setPending("loading");
    void loadAll(() => stopped.current).then((complete) => {
      if (!stopped.current) setPending(complete ? "loaded" : "no");
    });
  };
  return { pending, start, done };
}

/** Keeps the active row in the address; a new address makes its row active. */
function useAddress(
  active: string | null,
  setActive: (id: string | null) => void,
  idInAddress: string | null,
  filter: Filter,
): void {
  const written = useRef(idInAddress);
  useEffect(() => {
    if (idInAddress === written.current) return;
    written.current = idInAddress;
    setActive(idInAddress);
  }, [idInAddress, setActive]);
  useEffect(() => {
    if (active === written.current) return;
    const timer = setTimeout(() => {
      written.current = active;
      navigate(filterHref(filter, active ?? undefined), { replace: true });
    }, restBeforeAddress);
    return () => clearTimeout(timer);
  }, [active, filter]);
}

function ChoosingAll({ loaded, total, onStop }: { loaded: number; total: number; onStop(): void }) {
  const { t } = useTranslation("history");
  const format = useFormat();
  return (
    <div
      className="k-float absolute inset-x-4 bottom-4 z-20 mx-auto flex w-fit items-center gap-3 p-2 ps-4"
      role="status"
    >
      {t("selectingAll", { done: format.number(loaded), total: format.number(total) })}
      <Button kind="quiet" size="small" onClick={onStop}>
        {t("common:stop")}
      </Button>
    </div>
  );
}

function Loading() {
  return (
    <div className="grid gap-3 p-4">
      {[1, 2, 3, 4, 5, 6].map((n) => (
        <Skeleton key={n} className="h-6" />
      ))}
    </div>
  );
}

function Nothing({ filter, onClear }: { filter: Filter; onClear(): void }) {
  const { t } = useTranslation("history");
  const ref = useFocusOnRemoval();
  if (isFiltered(filter))
    return (
      <EmptyState
        icon={<SearchX size={24} aria-hidden />}
        title={t("nothingFound")}
        action={
          <Button ref={ref} onClick={onClear}>
            {t("showEverything")}
          </Button>
        }
      >
        {t("nothingFoundHint")}
      </EmptyState>
    );
  return (
    <EmptyState
      icon={<AudioLines size={24} aria-hidden />}
      title={t("empty")}
      action={
        <Button kind="primary" onClick={() => navigate(href("studio"))}>
          {t("toStudio")}
        </Button>
      }
    >
      {t("emptyHint")}
    </EmptyState>
  );
}
