import { ChevronDown, Download, Pause, Play, Undo2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { subtitleFormats } from "@/api/formats";
import { exportGenerations } from "@/api/history";
import { saveAs, type SaveRequest } from "@/api/save";
import { joinedSound } from "@/api/scripts";
import { useSystem } from "@/api/system";
import { useFormat } from "@/i18n/format";
import {
  exportGroups,
  exportSound,
  player,
  useExportHere,
  useFileItems,
  usePlaying,
  useSoundChoice,
  type Sound,
} from "@/player";
import { Button, ErrorBox, IconButton, Menu, SegmentedControl, Slider } from "@/ui";
import { isDialogue } from "./hosted";
import { fileNames, titleOf, type ScriptContent } from "./model";
import type { GenerateAll } from "./useGenerateAll";
import type { ScriptFlow } from "./useScriptGeneration";

interface GapProps {
  script: ScriptContent;
  /** The service speaks several turns in one call, without silence between them. */
  isDialogue: boolean;
  onChange(gapMs: number): void;
}

export function GapSlider({ script, isDialogue, onChange }: GapProps) {
  const { t } = useTranslation("script");
  const format = useFormat();
  const text = t("seconds", { seconds: format.number(script.gapMs / 1000, { minimumFractionDigits: 1 }) });
  return (
    <section>
      <Slider label={t("gap")} value={script.gapMs} min={0} max={3000} step={100} text={text} onChange={onChange} />
      <p className="k-hint">{isDialogue ? t("dialogue.gap") : t("gapHint")}</p>
    </section>
  );
}

/** The joined audio, and what is to be done where it is not that of the page. */
function JoinedAudio({ flow, generateAll }: Omit<Props, "script">) {
  const { t } = useTranslation("script");
  const stored = flow.stored;
  const playing = usePlaying(stored?.id);
  const isShared = stored?.turns.some(isDialogue) ?? false;
  if (!stored) return <p className="text-ink-2">{t("noSound")}</p>;
  const sound = joinedSound(stored);
  function play() {
    if (playing !== "other") player.toggle();
    else if (sound) player.load(sound, { play: true });
  }
  const waiting = flow.joinFailed ? t("notJoined", { action: generateAll.label }) : t("joining");
  const missing = flow.running > 0 ? t("notYet") : flow.waitsForFile ? waiting : t("someMissing");
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2 wrap-anywhere">
      {flow.isOlder ? (
        <p className="text-ink-2" role="status">
          {t("older", { action: generateAll.label })}
        </p>
      ) : null}
      <div className="flex flex-wrap gap-2">
        {stored.audio_url ? (
          <Button
            icon={playing === "playing" ? <Pause size={16} aria-hidden /> : <Play size={16} aria-hidden />}
            onClick={play}
          >
            {playing === "playing" ? t("common:player.pause") : t("playAll")}
          </Button>
        ) : null}
        {flow.undo ? (
          <Button icon={<Undo2 size={16} aria-hidden />} hint={t("undoAudioHint")} onClick={flow.undo}>
            {t("undoAudio")}
          </Button>
        ) : null}
      </div>
      {isShared ? <p className="text-12 text-ink-2">{t("dialogue.hint")}</p> : null}
      {!stored.audio_url ? (
        <p className="text-ink-2" role="status">
          {missing}
        </p>
      ) : null}
    </div>
  );
}

const noSound: Pick<Sound, "text" | "audio_path"> = { text: "", audio_path: "" };

type ExportShape = "one" | "turns";

interface Props {
  script: ScriptContent;
  flow: ScriptFlow;
  generateAll: GenerateAll;
}

type ExportProps = Omit<Props, "generateAll">;

/** Returns what saves the script as one file or one file per turn, and the state of the last save. */
function useSave({ script, flow }: ExportProps, shape: ExportShape) {
  const { t } = useTranslation("script");
  const [state, setState] = useState<{ busy: boolean; error: unknown }>({ busy: false, error: null });
  async function send({ format, ...options }: SaveRequest) {
    const name = titleOf(script) || t("fileName");
    const done = flow.completeTurns;
    if (shape === "one" && flow.stored)
      await saveAs({ id: flow.stored.id, title: name, text: "" }, { format, ...options }, name);
    else if (format !== "txt")
      await exportGenerations(
        done.map((g) => g.id),
        { format, ...options },
        name,
        undefined,
        fileNames(script, done),
      );
  }
  function save(request: SaveRequest) {
    setState({ busy: true, error: null });
    void send(request).then(
      () => setState({ busy: false, error: null }),
      (error: unknown) => setState({ busy: false, error }),
    );
  }
  return { ...state, save, setError: (error: unknown) => setState({ busy: false, error }) };
}

/** The only export of the script while it is shown; the player exports a single turn. */
function Export(props: ExportProps) {
  const { flow } = props;
  const { t } = useTranslation("script");
  const encoders = useSystem().data?.encoders;
  const { format } = useSoundChoice();
  const [shape, setShape] = useState<ExportShape>("one");
  const { busy, error, save, setError } = useSave(props, shape);
  const done = flow.completeTurns;
  const joined = flow.stored ? joinedSound(flow.stored) : null;
  useExportHere(done.length > 0 && joined ? [joined.id] : []);
  const fileItems = useFileItems(joined ?? noSound, setError);
  const name = titleOf(props.script) || t("fileName");
  const exported = { name, save };
  const ready = shape === "one" ? Boolean(flow.stored?.audio_url) : done.length > 0;
  const isOlder = ready && (shape === "one" ? flow.isOlder : flow.turnsWithoutAudio > 0);
  if (done.length === 0) return null;
  const texts = done.some(isDialogue) ? [] : subtitleFormats; // a dialogue has no times of its lines
  const label =
    shape === "one" ? t("common:export.as", { format: format.toUpperCase() }) : t("exportEach", { count: done.length });
  return (
    <section className="grid gap-3">
      <h3 className="text-12 font-medium text-ink-2">{t("export")}</h3>
      <SegmentedControl<ExportShape>
        wide
        label={t("export")}
        value={shape}
        onChange={setShape}
        segments={[
          { value: "one", label: t("oneFile") },
          { value: "turns", label: t("fileEach") },
        ]}
      />
      {ready ? null : <p className="text-12 text-ink-2">{flow.stored ? t("notYet") : t("needsAll")}</p>}
      {isOlder && shape === "turns" ? <p className="text-12 text-ink-2">{t("someOlder")}</p> : null}
      <div className="flex gap-1">
        <Button
          className="grow"
          icon={<Download size={16} aria-hidden />}
          busy={busy}
          disabled={!ready}
          onClick={() => exportSound(exported, encoders)}
        >
          {isOlder ? t("common:export.old") : label}
        </Button>
        <Menu
          title={t("common:export.named", { name })}
          groups={[...exportGroups(t, exported, texts), ...(shape === "one" && joined ? [fileItems] : [])]}
        >
          <IconButton label={t("common:export.more")} disabled={busy || !ready} icon={<ChevronDown size={16} />} />
        </Menu>
      </div>
      {error ? <ErrorBox error={error} /> : null}
    </section>
  );
}

export function Output(props: Props) {
  const { t } = useTranslation("script");
  return (
    <>
      <section>
        <h3 className="mb-2 text-12 font-medium text-ink-2">{t("sound")}</h3>
        <JoinedAudio flow={props.flow} generateAll={props.generateAll} />
      </section>
      <Export script={props.script} flow={props.flow} />
    </>
  );
}
