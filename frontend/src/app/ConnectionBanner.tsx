import { Unplug } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { reconnect, useConnection } from "@/api/events";
import { Button } from "@/ui";

const bannerDelay = 2000; // ms; a shorter loss of the connection shows nothing

/** Shows that the connection is lost. */
export function ConnectionBanner() {
  const { t } = useTranslation();
  const { state } = useConnection();
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(state === "lost"), state === "lost" ? bannerDelay : 0);
    return () => clearTimeout(timer);
  }, [state]);
  if (!shown) return null;
  return (
    <div className="f-banner">
      <Unplug size={16} aria-hidden />
      <span className="min-w-0 flex-1">{t("connectionLost")}</span>
      <Button kind="quiet" size="small" onClick={reconnect}>
        {t("tryNow")}
      </Button>
    </div>
  );
}
