import { useTranslation } from "react-i18next";
import { toApiError } from "@/api/errors";
import { useCreateProfile } from "@/api/profiles";
import type { Profile } from "@/api/types";
import { Button, ErrorBox } from "@/ui";
import { type Voice } from "@/features/voices/library";

/** Shown when a model came without the voice: the person deleted it before, so only the person can restore it. */
export function Missing({ voice, onMade, onBack }: { voice: Voice; onMade(profile: Profile): void; onBack(): void }) {
  const { t } = useTranslation("picker");
  const create = useCreateProfile();
  const { name, profile } = voice;
  const model = voice.model?.display_name ?? "";
  const make = async (as: string): Promise<void> => {
    const body = {
      name: as,
      voice_type: "preset" as const,
      model_name: profile.model_name ?? "",
      ...(profile.preset_voice_id ? { preset_voice_id: profile.preset_voice_id } : {}),
    };
    try {
      onMade(await create.mutateAsync(body));
    } catch (thrown) {
      // As the server names a model's voices.
      if (toApiError(thrown).code === "name_taken" && as === name) await make(`${name} (${model})`);
    }
  };
  return (
    <div className="grid gap-2" role="group" aria-label={t("missing.title", { name })}>
      {create.error ? <ErrorBox error={create.error} /> : null}
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-52 flex-1 wrap-anywhere">{t("missing.text", { name, model })}</p>
        <Button kind="quiet" onClick={onBack}>
          {t("need.back")}
        </Button>
        <Button kind="primary" busy={create.isPending} onClick={() => void make(name)}>
          {t("missing.restore", { name })}
        </Button>
      </div>
    </div>
  );
}
