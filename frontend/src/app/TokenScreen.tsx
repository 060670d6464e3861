import { Dialog as Radix } from "radix-ui";
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { session, useSession } from "@/api/session";
import { Button, TextField } from "@/ui";

const stay = (event: Event) => event.preventDefault(); // the page behind it cannot be used yet

/** Requests the access token. It covers the page without unmounting it, so that unsaved text is not lost. */
export function TokenScreen() {
  const { t } = useTranslation();
  const { reason } = useSession();
  const [token, setToken] = useState("");
  const [state, setState] = useState<"idle" | "asking" | "wrong" | "unreachable">(
    reason === "wrong" ? "wrong" : "idle",
  );
  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!token.trim() || state === "asking") return;
    setState("asking");
    const answer = await session.offer(token.trim());
    if (answer !== "taken") setState(answer);
  }
  const error = state === "wrong" ? t("token.refused") : state === "unreachable" ? t("connectionLost") : null;
  return (
    <Radix.Root open>
      <Radix.Portal>
        <Radix.Content className="f-token" onEscapeKeyDown={stay} onInteractOutside={stay}>
          <form onSubmit={(event) => void submit(event)} className="grid w-full max-w-96 gap-4">
            <Radix.Title className="text-22 font-semibold">{t("token.title")}</Radix.Title>
            <Radix.Description className="text-ink-2">
              {t(reason === "changed" ? "token.changed" : "token.where")}
            </Radix.Description>
            <TextField
              label={t("token.label")}
              type="password"
              value={token}
              onChange={(next) => {
                setToken(next);
                setState("idle");
              }}
              autoFocus
              {...(error ? { error } : {})}
            />
            <Button kind="primary" type="submit" busy={state === "asking"}>
              {t("token.open")}
            </Button>
          </form>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
