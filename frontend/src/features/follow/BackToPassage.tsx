import { LocateFixed } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "@/ui";
import type { Follow } from "./useFollow";

/** The way back to what is read aloud, above the lower end of a text. */
export function BackToPassage({ follow }: { follow: Follow }) {
  const { t } = useTranslation();
  if (!follow.isAway) return null;
  return (
    <div className="pointer-events-none relative z-10 h-0 flex-none">
      <div className="absolute inset-x-0 bottom-3 flex justify-center">
        <Button
          size="small"
          className="pointer-events-auto shadow-[var(--shadow)]"
          icon={<LocateFixed size={14} aria-hidden />}
          onClick={follow.resume}
        >
          {t("backToPassage")}
        </Button>
      </div>
    </div>
  );
}
