import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Kbd } from "@/ui";
import { useAllCommands, type Command } from "./commands";
import { goKeys, keyTable, type KeyGroup } from "./keyTable";

interface Line {
  title: string;
  keys: readonly string[];
}

const always = /^(go:|player:|palette$|help$|open-file$)/;

/** Returns the commands with a shortcut, one line per title: some have two. */
function linesOf(commands: readonly Command[]): Line[] {
  const lines = new Map<string, string[]>();
  for (const { title, shortcut } of commands) {
    const keys = lines.get(title) ?? [];
    if (shortcut && !keys.includes(shortcut)) lines.set(title, [...keys, shortcut]);
  }
  return [...lines].map(([title, keys]) => ({ title, keys }));
}

/** Returns the lines of a group: those of the screen replace the static ones, here and in the group of all screens. */
function useLines(group: KeyGroup, isPresent: boolean): Line[] {
  const { t } = useTranslation();
  const commands = useAllCommands().filter(({ id, shortcut }) => shortcut && !always.test(id));
  const own = isPresent ? linesOf(commands) : [];
  const taken = new Set(commands.map((command) => command.shortcut));
  const known = keyTable[group]
    .filter(({ keys }) => !((isPresent || group === "everywhere") && keys.some((one) => taken.has(one))))
    .map(({ name, keys }) => ({ title: t(`keys.${group}.${name}`), keys }));
  const screens =
    group === "everywhere"
      ? Object.entries(goKeys).map(([screen, keys]) => ({
          title: t("goTo", { screen: t(`screens.${screen}`) }),
          keys: [keys],
        }))
      : [];
  return [...own, ...known, ...screens];
}

interface Props {
  group: KeyGroup;
  /** The screen is open, so that the list has its commands. */
  isPresent?: boolean;
  /** Renders the keys of an action, which its default keys name. */
  render?(action: string, title: string): ReactNode;
}

/** The shortcuts of one place, under its name. */
export function KeyList({ group, isPresent = false, render = (action) => <Kbd key={action} keys={action} /> }: Props) {
  const { t } = useTranslation();
  const lines = useLines(group, isPresent);
  const title = group === "everywhere" || group === "picker" ? t(`keys.${group}.title`) : t(`screens.${group}`);
  return (
    <div role="group" aria-label={title} className="break-inside-avoid pb-5">
      <h3 className="pb-1 text-12 font-medium text-ink-3">{title}</h3>
      <dl>
        {lines.map((line) => (
          <div
            key={line.title}
            className="flex min-h-8 items-center justify-between gap-6 border-b border-line last:border-0"
          >
            <dt className="min-w-0 wrap-anywhere">{line.title}</dt>
            <dd className="flex flex-none flex-wrap justify-end gap-2">
              {line.keys.map((one) => render(one, line.title))}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
