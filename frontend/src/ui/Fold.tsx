import { ChevronRight } from "lucide-react";
import { useState, type ReactNode } from "react";

/** What few people need, below a title that opens it. */
export function Fold({ title, children }: { title: string; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="k-fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <ChevronRight size={16} aria-hidden />
        {title}
      </summary>
      {open ? children : null}
    </details>
  );
}
