import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { session, useSession } from "@/api/session";
import { Button, TextField } from "@/ui";

/** Asks for the token of a program that wants one. */
export function TokenScreen() {
  const { t } = useTranslation();
  const { refused } = useSession();
  const [token, setToken] = useState("");
  function submit(event: FormEvent) {
    event.preventDefault();
    if (token.trim()) session.give(token.trim());
  }
  return (
    <main className="grid h-full place-items-center p-6">
      <form onSubmit={submit} className="grid w-full max-w-96 gap-4">
        <h1 className="text-22 font-semibold">{t("token.title")}</h1>
        <p className="text-ink-2">{t("token.where")}</p>
        <TextField label={t("token.label")} type="password" value={token} onChange={setToken} autoFocus {...(refused ? { error: t("token.refused") } : {})} />
        <Button kind="primary" type="submit">{t("token.open")}</Button>
      </form>
    </main>
  );
}
