import { lazy, Suspense, useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "@/lib/store";
import { useToast } from "@/ui";
import { clipboard } from "./clipboard";
import { ScreenBoundary } from "./ScreenBoundary";

const Reader = lazy(() => import("./Reader"));

/** Reads the text of the clipboard aloud when the window's tray asks for it, with the voice that Studio used last. */
export function ReadAloud() {
  const request = useStore(clipboard);
  if (request?.kind === "refused") return <Refused key={request.asked} keys={request.text} />;
  if (!request) return null;
  return (
    <ScreenBoundary key={request.asked}>
      <Suspense fallback={null}>
        <Reader text={request.text} />
      </Suspense>
    </ScreenBoundary>
  );
}

function Refused({ keys }: { keys: string }) {
  const { t } = useTranslation();
  const toast = useToast();
  const say = useEffectEvent(() => toast({ text: t("readAloud.refused", { keys }) }));
  useEffect(() => say(), []);
  return null;
}
