import { createContext, useContext, useEffect, useId, useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useRoute } from "@/lib/router";
import { Button, useFocusOnRemoval } from "@/ui";
import { wordsOf } from "./entries";

/** The rows that match the search; null without a search. */
export const Found = createContext<ReadonlySet<string> | null>(null);

export const useSearching = (): boolean => useContext(Found) !== null;

/** The texts of a row: those of this page, else the server's English. */
export function useRowWords(): (id: string, english?: string) => { title: string; hint: string } {
  const { t } = useTranslation("settings");
  return (id, english = "") => ({
    title: t(`rows.${id}.title`, { defaultValue: wordsOf(id) }),
    hint: t(`rows.${id}.hint`, { defaultValue: english }),
  });
}

interface Props {
  id: string;
  /** The server's description, for keys without texts in the page. */
  english?: string;
  /** Replaces the description. */
  note?: ReactNode;
  onReset?: (() => void) | undefined;
  /** Rendered below the row, over the full width. */
  below?: ReactNode;
  children?: ReactNode;
}

/** Scrolls the row that the address names into view. */
function useNamed(id: string) {
  const { screen, segments } = useRoute();
  const isNamed = screen === "settings" && segments[1] === id;
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isNamed) row.current?.scrollIntoView({ block: "center" });
  }, [isNamed]);
  return { row, isNamed };
}

/** One setting: label, description, control, and a reset to the default on hover. */
export function SettingRow({ id, english, note, onReset, below, children }: Props) {
  const { t } = useTranslation("settings");
  const words = useRowWords()(id, english);
  const found = useContext(Found);
  const name = useId();
  const { row, isNamed } = useNamed(id);
  const reset = useFocusOnRemoval(row);
  if (found && !found.has(id)) return null;
  return (
    <div
      ref={row}
      role="group"
      aria-labelledby={name}
      aria-current={isNamed || undefined}
      className="group/row border-b border-line py-3 aria-[current]:-mx-3 aria-[current]:rounded-m aria-[current]:bg-fill aria-[current]:px-3"
    >
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <div className="min-w-0 flex-[1_1_240px]">
          <div className="flex min-h-6 items-center gap-3">
            <span id={name} className="font-medium">
              {words.title}
            </span>
            {onReset ? (
              <Button
                ref={reset}
                kind="quiet"
                size="small"
                onClick={onReset}
                aria-label={t("resetNamed", { name: words.title })}
                className="-my-1 opacity-0 group-hover/row:opacity-100 group-focus-within/row:opacity-100 [@media(hover:none)]:opacity-100"
              >
                {t("reset")}
              </Button>
            ) : null}
          </div>
          <p className="max-w-[60ch] text-12 text-pretty text-ink-3">{note ?? words.hint}</p>
        </div>
        {children ? (
          <div className="flex min-w-0 max-w-full flex-none flex-wrap items-center gap-2">{children}</div>
        ) : null}
      </div>
      {below}
    </div>
  );
}

/** A path or an address that can be selected and wraps where needed. */
export function Code({ children }: { children: ReactNode }) {
  return (
    <code className="rounded-m bg-fill px-1.5 py-0.5 font-mono text-12 break-all text-ink select-all" dir="ltr">
      {children}
    </code>
  );
}
