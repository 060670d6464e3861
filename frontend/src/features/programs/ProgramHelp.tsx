import { Copy, ExternalLink, RotateCcw } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { openOutside } from "@/api/session";
import { useCheckProgram, useSystem } from "@/api/system";
import type { SystemInfo } from "@/api/types";
import { programNames } from "@/i18n/programs";
import { announce } from "@/lib/announce";
import { Button, ErrorBox, Fold, IconButton, useCopy, useToast } from "@/ui";

type Library = SystemInfo["libraries"][number];
type Package = NonNullable<Library["install"]>["packages"][number];

/** The systems whose steps are written down. */
const systems = ["windows", "darwin", "linux"] as const;
type System = (typeof systems)[number];

/** A line for the terminal, which is copied with a click. */
function Line({ label, command }: { label: string; command: string }) {
  const { t } = useTranslation("programs");
  const copy = useCopy();
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-12 text-ink-2">
      <span>{label}:</span>
      <code className="min-w-0 rounded-m bg-fill px-1.5 py-0.5 font-mono break-all text-ink select-all" dir="ltr">
        {command}
      </code>
      <IconButton label={`${t("copyLine")}: ${command}`} icon={<Copy size={14} />} onClick={() => copy(command)} />
    </p>
  );
}

/** The lines for the terminal: that of this distribution, and those of others in a fold. */
function Lines({ system, packages }: { system: System; packages: readonly Package[] }) {
  const { t } = useTranslation("programs");
  const [first, ...others] = packages;
  const labelOf = (one: Package) => (one.systems ? t("lineFor", { systems: one.systems }) : t(`line.${system}`));
  if (!first) return null;
  return (
    <>
      <Line label={labelOf(first)} command={first.command} />
      {others.length > 0 ? (
        <Fold title={t("others")}>
          {others.map((one) => (
            <Line key={one.command} label={labelOf(one)} command={one.command} />
          ))}
        </Fold>
      ) : null}
    </>
  );
}

/** Looks for the program again, and says what came of it. */
function CheckAgain({ name }: { name: string }) {
  const { t } = useTranslation("programs");
  const check = useCheckProgram();
  const toast = useToast();
  const [state, setState] = useState<"idle" | "busy" | "missing">("idle");
  const [error, setError] = useState<unknown>(null);
  const program = programNames[name] ?? name;
  async function look() {
    setState("busy");
    setError(null);
    try {
      const isThere = await check(name);
      setState(isThere ? "idle" : "missing");
      if (isThere) toast({ text: t("found", { name: program }) });
      else announce(t("stillMissing", { name: program }));
    } catch (thrown) {
      setState("idle");
      setError(thrown);
    }
  }
  return (
    <>
      <Button
        icon={<RotateCcw size={14} aria-hidden />}
        busy={state === "busy"}
        aria-label={t("checkNamed", { name: program })}
        onClick={() => void look()}
      >
        {t("check")}
      </Button>
      {state === "missing" ? <p className="basis-full text-12">{t("stillMissing", { name: program })}</p> : null}
      {error ? <ErrorBox error={error} /> : null}
    </>
  );
}

/** How to get a program: by clicks, and on systems that need it by a line to paste. */
function Steps({ name, os, library }: { name: string; os: string; library: Library }) {
  const { t } = useTranslation("programs");
  const { install } = library;
  const system = systems.find((one) => one === os);
  if (!install) return null;
  const steps = system === "windows" && name === "espeak-ng" ? "msi" : (system ?? "other");
  return (
    <>
      <p className="text-12 text-ink-2">{t(`steps.${steps}`, { name: install.packages[0]?.name })}</p>
      {system && steps !== "msi" ? <Lines system={system} packages={install.packages} /> : null}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          kind={steps === "msi" ? "primary" : "plain"}
          icon={<ExternalLink size={14} aria-hidden />}
          aria-label={t("openNamed", { name: programNames[name] })}
          onClick={() => openOutside(install.page)}
        >
          {t("open")}
        </Button>
        <CheckAgain name={name} />
      </div>
    </>
  );
}

/** What a missing program is for, how it is installed on this system, and a way to look for it again; nothing where it is there. */
export function ProgramHelp({ name }: { name: string }) {
  const { t } = useTranslation("programs");
  const system = useSystem().data;
  const library = system?.libraries.find((one) => one.name === name);
  if (!system || !library || library.available) return null;
  return (
    <div className="grid gap-2" role="group" aria-label={programNames[name]}>
      <p className="font-medium">{t(`needs.${name}`)}</p>
      <Steps name={name} os={system.os} library={library} />
    </div>
  );
}
