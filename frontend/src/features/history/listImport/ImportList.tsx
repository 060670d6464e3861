import { FileUp } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { toApiError } from "@/api/errors";
import { useFormat } from "@/i18n/format";
import { useErrorText } from "@/i18n/errors";
import { useStore } from "@/lib/store";
import { Button, Dialog, ErrorBox, FileInput, VirtualList } from "@/ui";
import { badRows, goodRows, list, openList, type ListState } from "./list";
import { useFailureText, Run } from "./ListRun";
import { lineHeight, Problems } from "./Problems";

/** Reads a list of texts and generates its rows. Closing the dialog does not stop them. */
export function ImportList({ open, onClose }: { open: boolean; onClose(): void }) {
  const { t } = useTranslation("history");
  const state = useStore(list);
  return (
    <Dialog open={open} onOpenChange={(next) => next || onClose()} title={t("import.title")} width={560}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {state && state.phase !== "ready" ? null : <ChooseFile isOpened={state !== null} />}
        {state ? <Opened key={state.name} state={state} /> : null}
      </div>
    </Dialog>
  );
}

function ChooseFile({ isOpened }: { isOpened: boolean }) {
  const { t } = useTranslation("history");
  const input = useRef<HTMLInputElement>(null);
  const failureText = useFailureText();
  const [isReading, setReading] = useState(false);
  const [failure, setFailure] = useState<{ name: string; error: unknown } | null>(null);
  const words = useErrorText(["history:import.errors"]);
  async function read(file: File | undefined) {
    if (!file) return;
    setReading(true);
    setFailure(null);
    await openList(file, failureText).catch((error: unknown) => setFailure({ name: file.name, error }));
    setReading(false);
  }
  const reason = failure ? words(toApiError(failure.error)) : null;
  return (
    <div
      className="grid justify-items-start gap-2"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        void read(event.dataTransfer.files[0]);
      }}
    >
      {isOpened ? null : <p className="text-ink-2">{t("import.hint")}</p>}
      <FileInput
        ref={input}
        label={t("import.choose")}
        accept=".csv,.jsonl,.txt"
        onChoose={([file]) => void read(file)}
      />
      <Button
        kind={isOpened ? "plain" : "primary"}
        icon={<FileUp size={16} aria-hidden />}
        busy={isReading}
        onClick={() => input.current?.click()}
      >
        {t(isOpened ? "import.other" : "import.choose")}
      </Button>
      {failure && reason ? (
        <ErrorBox
          error={failure.error}
          words={{ ...reason, title: t("import.notRead", { name: failure.name, reason: reason.title }) }}
        />
      ) : null}
    </div>
  );
}

function Opened({ state }: { state: ListState }) {
  const { t } = useTranslation("history");
  const { number } = useFormat();
  const good = goodRows(state);
  const bad = badRows(state);
  return (
    <>
      <p>
        <span className="font-medium wrap-anywhere">{state.name}</span>{" "}
        <span className="text-ink-3">
          {t("import.rows", { count: good.length, number: number(good.length) })}
          {bad.length > 0 ? ` · ${t("import.bad", { count: bad.length, number: number(bad.length) })}` : ""}
        </span>
      </p>
      {state.phase === "ready" ? <Rows state={state} /> : null}
      <Problems
        label={t("import.problems")}
        items={bad.map((row) => ({
          line: row.line,
          text: t(`import.problem.${row.reason ?? ""}`, { ...row.params, defaultValue: row.problem }),
        }))}
        isOpen={state.phase === "ready"}
      />
      <Run state={state} />
    </>
  );
}

function Rows({ state }: { state: ListState }) {
  const { t } = useTranslation("history");
  return (
    <VirtualList
      className="max-h-28 text-12 text-ink-2"
      label={t("import.list")}
      items={goodRows(state)}
      keyOf={(row) => String(row.row)}
      estimate={lineHeight}
      render={(row) => (
        <p className="truncate pb-1" dir="auto">
          {[row.name, row.voice, row.language, row.speed, row.format]
            .filter(Boolean)
            .map(String)
            .concat(row.text)
            .join(" · ")}
        </p>
      )}
    />
  );
}
