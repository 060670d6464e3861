import { useTranslation } from "react-i18next";
import { openOutside } from "@/api/session";
import type { NewestVersion } from "@/api/types";
import { useUpdateCheck, useUpdatesAddress } from "@/api/updates";
import { useFormat } from "@/i18n/format";
import { Button, ErrorBox } from "@/ui";
import { updatesRow } from "../entries";
import { SettingRow } from "../SettingRow";

/** What a check found. The notes are text of the server, shown as it is. */
function Found({ answer }: { answer: NewestVersion }) {
  const { t } = useTranslation("settings");
  const format = useFormat();
  const { status, current, version, date, page, notes } = answer;
  const shown = status === "newer" || status === "unknown";
  return (
    <div className="mt-3 grid justify-items-start gap-2">
      <p role="status" className="font-medium">
        {t(`updates.${status}`, { current, version, date: date && format.date(`${date}T12:00:00`) })}
      </p>
      {shown && notes ? (
        <p className="break-words whitespace-pre-line text-ink-2 select-text" dir="auto">
          {notes}
        </p>
      ) : null}
      {shown ? (
        <Button kind={status === "newer" ? "primary" : "plain"} onClick={() => openOutside(page)}>
          {t("updates.open")}
        </Button>
      ) : null}
    </div>
  );
}

/** Checks for a new version on request; nothing in builds that have no address to ask. */
export function UpdatesRow() {
  const { t } = useTranslation("settings");
  const address = useUpdatesAddress();
  const { answer, error, isChecking, check, stop } = useUpdateCheck();
  if (!address) return null;
  return (
    <SettingRow
      id={updatesRow}
      note={t("updates.note", { host: new URL(address).host })}
      below={
        <>
          {isChecking ? (
            <p role="status" className="mt-2 text-12 text-ink-2">
              {t("updates.checking")}
            </p>
          ) : null}
          {error ? (
            <div className="mt-2">
              <ErrorBox error={error} />
            </div>
          ) : null}
          {answer ? <Found answer={answer} /> : null}
        </>
      }
    >
      <Button onClick={isChecking ? stop : check}>{isChecking ? t("common:stop") : t("updates.check")}</Button>
    </SettingRow>
  );
}
