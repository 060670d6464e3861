import { X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Profile } from "@/api/types";
import type { DraftConflict } from "@/features/drafts/saveDraft";
import { href, navigate } from "@/lib/router";
import { useFormat } from "@/i18n/format";
import { useVoiceName } from "@/i18n/voiceName";
import { Button, IconButton, useToast } from "@/ui";
import type { ScriptContent } from "./model";
import { otherVoices, setVoices, speakersSharingVoice } from "./voices";

/** Reports that two windows edited one script, and opens the other version. */
export function ConflictNote({
  conflict,
  current,
  close,
}: {
  conflict: DraftConflict;
  current: string | undefined;
  close(): void;
}) {
  const { t } = useTranslation("script");
  const other =
    current === conflict.copyId
      ? { id: conflict.id, name: conflict.name }
      : { id: conflict.copyId, name: conflict.copyName };
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded bg-fill p-2 ps-3" role="status">
      <p className="min-w-0 flex-1 break-words">
        {t("conflict.text", { name: conflict.name, copy: conflict.copyName })}
      </p>
      <Button
        size="small"
        onClick={() => {
          close();
          navigate(href("script", [other.id]));
        }}
      >
        {t("conflict.open", { name: other.name })}
      </Button>
      <IconButton label={t("common:close")} icon={<X size={14} />} onClick={close} />
    </div>
  );
}

interface SharingProps {
  script: ScriptContent;
  voices: readonly Profile[];
  change(next: (before: ScriptContent) => ScriptContent): void;
  choose(speakerId: string): void;
}

/** Reports that speakers share a voice, and offers another voice for each, or the picker if there is none. */
export function SharedVoiceNote({ script, voices, change, choose }: SharingProps) {
  const { t } = useTranslation("script");
  const format = useFormat();
  const toast = useToast();
  const voiceName = useVoiceName();
  const [isClosed, setClosed] = useState(false);
  const sharing = speakersSharingVoice(script);
  const second = sharing.find((speaker, i) => sharing.findIndex((other) => other.profileId === speaker.profileId) < i);
  if (!second || isClosed) return null;
  const group = sharing.filter((speaker) => speaker.profileId === second.profileId);
  const shared = voices.find((voice) => voice.id === second.profileId);
  const assignments = otherVoices(script, voices);
  function assignVoices(): void {
    const before = assignments.map(({ speaker }) => ({ id: speaker.id, profileId: speaker.profileId }));
    change((s) =>
      setVoices(
        s,
        assignments.map(({ speaker, voice }) => ({ id: speaker.id, profileId: voice.id })),
      ),
    );
    toast({
      text: t("sharing.given", {
        list: format.list(assignments.map(({ speaker, voice }) => `${speaker.name} (${voiceName(voice.name)})`)),
      }),
      action: { label: t("common:undo"), run: () => change((s) => setVoices(s, before)) },
    });
  }
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-2 gap-y-1 rounded bg-fill p-2 ps-3" role="status">
      <p className="min-w-0 flex-[1_1_14rem] break-words">
        {t("sharing.text", {
          names: format.list(group.map((speaker) => speaker.name)),
          voice: shared ? voiceName(shared.name) : t("sharing.one"),
        })}
      </p>
      {assignments.length > 0 ? (
        <Button size="small" onClick={assignVoices}>
          {t("sharing.give")}
        </Button>
      ) : (
        <Button size="small" onClick={() => choose(second.id)}>
          {t("sharing.choose", { name: second.name })}
        </Button>
      )}
      <IconButton label={t("common:close")} icon={<X size={14} />} onClick={() => setClosed(true)} />
    </div>
  );
}
