import { WifiOff } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useConnection } from "@/api/events";

const patience = 2000; // a connection that comes back at once is nobody's business

export function ConnectionBanner() {
  const { t } = useTranslation();
  const { state } = useConnection();
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(state === "lost"), state === "lost" ? patience : 0);
    return () => clearTimeout(timer);
  }, [state]);
  if (!shown) return null;
  return <div className="f-banner" role="status"><WifiOff size={16} aria-hidden />{t("connectionLost")}</div>;
}
