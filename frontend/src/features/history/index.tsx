import { ChevronDown, Download } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { exportIndex } from "@/api/history";
import { href, navigate, useRoute } from "@/lib/router";
import { TopEnd, TopStart, useInspector } from "@/lib/slots";
import { Button, Menu, SegmentedControl } from "@/ui";
import { CheckQuestion } from "./CheckQuestion";
import { readFilter, toQuery } from "./filters";
import { Generations } from "./Generations";
import { ImportList } from "./listImport/ImportList";
import { ScriptDetails } from "./ScriptDetails";
import { Scripts } from "./Scripts";
import { setProblem } from "./state";
import { StoragePanel } from "./StoragePanel";

/** All generations and scripts: find, play, save and regenerate them. */
export default function History() {
  const { t } = useTranslation("history");
  const { query } = useRoute();
  const tab = query.get("tab") === "scripts" ? "scripts" : "generations";
  const [script, setScript] = useState<string | null>(null);
  const [isImporting, setImporting] = useState(false);
  const { setOpen } = useInspector();
  useEffect(() => () => setProblem(null), []);

  async function exportList(format: "csv" | "json") {
    setProblem(null);
    try {
      await exportIndex(toQuery(readFilter(query)), format, t("listFile"));
    } catch (error) {
      setProblem(error);
    }
  }
  return (
    <div className="relative flex flex-col">
      <CheckQuestion />
      <TopStart>
        <SegmentedControl
          label={t("tabs")}
          value={tab}
          onChange={(next) => navigate(href("history", [], { tab: next === "scripts" ? next : "" }))}
          segments={[
            { value: "generations", label: t("tab.generations") },
            { value: "scripts", label: t("tab.scripts") },
          ]}
        />
      </TopStart>
      <TopEnd>
        <StoragePanel />
        {tab === "generations" ? (
          <Menu
            groups={[
              [{ label: t("exportList.import"), onSelect: () => setImporting(true) }],
              [
                { label: t("exportList.csv"), onSelect: () => void exportList("csv") },
                { label: t("exportList.json"), onSelect: () => void exportList("json") },
              ],
            ]}
          >
            <Button aria-label={t("exportList.title")} icon={<Download size={16} aria-hidden />}>
              <span className="@max-[860px]/main:hidden">{t("exportList.title")}</span>
              <ChevronDown size={14} aria-hidden />
            </Button>
          </Menu>
        ) : null}
      </TopEnd>
      <ImportList open={isImporting} onClose={() => setImporting(false)} />
      {tab === "scripts" ? (
        <>
          <Scripts
            active={script}
            onActive={(id) => {
              setScript(id);
              setOpen(true);
            }}
          />
          {script ? <ScriptDetails id={script} /> : null}
        </>
      ) : (
        <Generations />
      )}
    </div>
  );
}
