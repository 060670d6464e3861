import { lazy, Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "@/ui";

const load = () => import("./palette/Search");
const Search = lazy(load);
const idleDelay = 1500; // ms after the first paint, when the browser is idle

export function Palette({ open, onOpenChange }: { open: boolean; onOpenChange(open: boolean): void }) {
  const { t, i18n } = useTranslation();
  useEffect(() => {
    // Only a preload: if it fails, opening the palette loads it again and shows the error.
    const timer = setTimeout(
      () => void Promise.all([load(), i18n.loadNamespaces("settings")]).catch(() => undefined),
      idleDelay,
    );
    return () => clearTimeout(timer);
  }, [i18n]);
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t("palette.title")} hideTitle bare className="f-palette">
      <Suspense fallback={<div className="min-h-12" />}>
        <Search close={() => onOpenChange(false)} />
      </Suspense>
    </Dialog>
  );
}
