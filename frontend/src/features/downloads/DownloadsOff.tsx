import { WifiOff } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useOffline } from "@/api/offline";
import { href } from "@/lib/router";

/** Returns why nothing can be downloaded now, with what to do; null while downloads are possible. */
export function useDownloadsOff(): string | null {
  const { t } = useTranslation();
  const { on, fixed } = useOffline();
  return on ? t(fixed ? "downloadsOff.fixed" : "downloadsOff.setting") : null;
}

/** Stands in the place of a download button while offline mode is on. */
export function DownloadsOff({ reason }: { reason: string }) {
  const { t } = useTranslation();
  const { fixed } = useOffline();
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-12 text-ink-2" role="note">
      <WifiOff size={14} className="flex-none" aria-hidden />
      <span className="min-w-0 flex-1">{reason}</span>
      {fixed ? null : <a href={href("settings", ["network"])}>{t("downloadsOff.open")}</a>}
    </p>
  );
}
