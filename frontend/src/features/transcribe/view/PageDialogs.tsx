import { RememberDialog } from "@/features/speakers";
import { MergeDialog } from "../speakers/MergeDialog";
import { SplitDialog } from "../speakers/SplitDialog";
import type { SpeakerActions } from "../speakers/useSpeakerActions";
import type { PageDialog } from "./dialogs";
import { RerunDialog } from "./RerunDialog";
import { SpeakerDialog } from "./SpeakerDialog";
import type { Page } from "./usePage";

interface Props {
  page: Page;
  dialog: PageDialog | null;
  actions: SpeakerActions;
  onClose(): void;
}

/** The dialog that is open on the page of a transcript. */
export function PageDialogs({ page, dialog, actions, onClose }: Props) {
  switch (dialog?.kind) {
    case "speaker":
      return <SpeakerDialog page={page} segment={dialog.segment} onClose={onClose} />;
    case "split":
      return <SplitDialog page={page} segment={dialog.segment} onSplit={actions.split} onClose={onClose} />;
    case "remember":
      return (
        <RememberDialog
          transcript={page.transcript.id}
          speaker={dialog.speaker}
          onRename={(name) => actions.rename(dialog.speaker, name)}
          onClose={onClose}
        />
      );
    case "merge": {
      const { from, to } = dialog;
      return <MergeDialog from={from} to={to} onMerge={() => actions.merge(from, to)} onClose={onClose} />;
    }
    case "rerun":
      return <RerunDialog page={page} from={dialog.from} to={dialog.to} onClose={onClose} />;
    default:
      return null;
  }
}
