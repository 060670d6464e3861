import { FolderOpen } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useCommands } from "@/lib/commands";
import { useDropTarget } from "@/lib/dropTarget";
import { useRoute } from "@/lib/router";
import { TopEnd } from "@/lib/slots";
import { Button } from "@/ui";
import { MakeScript } from "./cast";
import { Library } from "./list/Library";
import { RecordButton } from "./RecordButton";
import { RecordingBar } from "./RecordingBar";
import { OptionsPanel } from "./OptionsPanel";
import { ExportDialog } from "./export/ExportDialog";
import { FindSpeakersDialog } from "./finding/FindSpeakersDialog";
import { RerunQuestion } from "./RerunQuestion";
import { askForExport, askForSpeakers, setProblem, setScriptSource } from "./state";
import { useGeneration } from "./useGeneration";
import { useIncoming } from "./useIncoming";
import { TranscriptScreen } from "./view/TranscriptScreen";
import "./transcribe.css";

/** Audio and video become text: files in, a list of transcripts, and one of them to read and correct. */
export default function Transcribe() {
  const { t } = useTranslation("transcribe");
  const { segments } = useRoute();
  const id = segments[0];
  const incoming = useIncoming();
  useGeneration();
  useDropTarget(t("drop"), incoming.add);
  useCommands([{ id: "transcribe:choose", title: t("chooseFiles"), shortcut: "mod+o", run: incoming.choose }]);
  useEffect(() => {
    setProblem(null);
    setScriptSource(null);
    askForSpeakers(null);
    askForExport(null);
  }, [id]); // that of another transcript, or of an action that ended elsewhere
  return (
    <div className="tr-view">
      <RerunQuestion />
      <MakeScript />
      <FindSpeakersDialog />
      <ExportDialog />
      <TopEnd>
        <OptionsPanel />
        <RecordButton />
        <Button
          kind="primary"
          icon={<FolderOpen size={16} aria-hidden />}
          shortcut="mod+o"
          hint={t("chooseFiles")}
          onClick={incoming.choose}
        >
          {t("chooseFiles")}
        </Button>
      </TopEnd>
      {incoming.field}
      <RecordingBar />
      {id === undefined ? <Library incoming={incoming} /> : <TranscriptScreen key={id} id={id} />}
    </div>
  );
}
