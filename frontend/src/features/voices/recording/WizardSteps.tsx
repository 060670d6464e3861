import { useEffect, useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { steps, type Step } from "./fields";
import "./recording.css";

export function Steps({ step, adds }: { step: Step; adds: boolean }) {
  const { t } = useTranslation("samples");
  const at = steps.indexOf(step);
  return (
    <ol className="v-steps" aria-label={t("steps")}>
      {steps.map((one, i) => (
        <li key={one} aria-current={one === step ? "step" : undefined} data-done={i < at ? "" : undefined}>
          {t(`step.${adds && one === "listen" ? "consent" : one}`)}
        </li>
      ))}
    </ol>
  );
}

/** The content of a step: focused when the step changes, so that screen readers read its name. */
export function StepBody({ step, children }: { step: Step; children: ReactNode }) {
  const { t } = useTranslation("samples");
  const box = useRef<HTMLElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    box.current?.scrollTo?.({ top: 0 });
    box.current?.focus({ preventScroll: true });
  }, [step]);
  return (
    <section ref={box} className="v-step" tabIndex={-1} aria-label={t(`step.${step}`)}>
      {children}
    </section>
  );
}
