import { LocateFixed } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button, useFocusOnRemoval } from "@/ui";
import type { Follow } from "./useFollow";

/** The way back to what is read aloud, above the lower end of a text, while the person is away from it. */
export function BackToPassage({ follow }: { follow: Follow }) {
  return follow.isAway ? <Way resume={follow.resume} /> : null;
}

function Way({ resume }: Pick<Follow, "resume">) {
  const { t } = useTranslation();
  const ref = useFocusOnRemoval();
  return (
    <div className="pointer-events-none relative z-10 h-0 flex-none">
      <div className="absolute inset-x-0 bottom-3 flex justify-center">
        <Button
          ref={ref}
          size="small"
          className="pointer-events-auto shadow-[var(--shadow)]"
          icon={<LocateFixed size={14} aria-hidden />}
          onClick={resume}
        >
          {t("backToPassage")}
        </Button>
      </div>
    </div>
  );
}
