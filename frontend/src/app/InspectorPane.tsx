import { X } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useIsWide } from "@/lib/media";
import { useStore } from "@/lib/store";
import { IconButton, Sheet, useFocusOnRemoval } from "@/ui";
import { inspector, setInspectorSlot, useInspector } from "@/lib/slots";

/** The place of the inspector: beside the content, or over it in a narrow window. */
export function InspectorPane() {
  const { t } = useTranslation();
  const { owner, title } = useStore(inspector);
  const { isOpen, setOpen } = useInspector();
  const wide = useIsWide();
  const ref = useFocusOnRemoval();
  useEffect(() => inspector.set((s) => ({ ...s, open: wide })), [wide]); // a sheet opens only on request
  if (owner === null && !isOpen) return null;
  const body = <div ref={setInspectorSlot} className="f-side-body" />;
  if (!wide)
    return (
      <Sheet open={isOpen && owner !== null} onOpenChange={setOpen} title={title} bare width={360}>
        {body}
      </Sheet>
    );
  if (!isOpen) return null;
  return (
    <aside ref={ref} className="f-side" aria-label={title || t("details")} hidden={owner === null}>
      <div className="f-side-head">
        <h2 className="flex-1">{title}</h2>
        <IconButton label={t("close")} icon={<X size={16} />} onClick={() => setOpen(false)} />
      </div>
      {body}
    </aside>
  );
}
