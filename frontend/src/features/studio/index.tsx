import { useTranslation } from "react-i18next";
import { Button, ErrorBox, Skeleton } from "@/ui";
import { useStore } from "@/lib/store";
import { StudioScreen } from "./StudioScreen";
import { useDraftStore } from "./drafts/useDraftStore";
import "./studio.css";

/** Studio: an editor and a voice that reads the text. */
export default function Studio() {
  const { t } = useTranslation("studio");
  const { store, error, retry } = useDraftStore();
  const { opened } = useStore(store.state);
  if (opened > 0) return <StudioScreen draftStore={store} />;
  if (error)
    return (
      <div className="p-6">
        <ErrorBox
          error={error}
          action={
            <Button size="small" onClick={retry}>
              {t("common:retry")}
            </Button>
          }
        />
      </div>
    );
  return (
    <div className="st-view" aria-busy>
      <div className="st-paper">
        <Skeleton className="h-6 w-2/3" />
      </div>
    </div>
  );
}
