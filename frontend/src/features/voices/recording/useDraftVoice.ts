import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { createProfile, deleteProfile, updateProfile } from "@/api/profiles";
import { addSample, refreshVoice, type Part, type Sound } from "@/api/samples";
import type { ConsentKind, Profile, Sample } from "@/api/types";
import { setLeaving } from "../leaving";

export interface DraftVoice {
  name: string;
  language: string;
  /** Empty: the first installed model that clones the language. */
  model: string;
  consent: ConsentKind;
  sound: Sound;
  part: Part;
  transcript: string;
}

interface Made {
  profile: Profile;
  sample: Sample;
  of: DraftVoice;
}

const hasSameSample = (a: DraftVoice, b: DraftVoice): boolean =>
  a.sound === b.sound &&
  a.part.from === b.part.from &&
  a.part.to === b.part.to &&
  a.transcript === b.transcript &&
  a.consent === b.consent;

const profileOf = ({ name, language, model }: DraftVoice) => ({ name, language, model_name: model });

/** The profile that a preview needs before it is saved: hidden from the lists, and deleted unless it is saved. */
function createDrafts(refresh: () => void) {
  let made: Made | null = null;
  let unsaved: string | null = null; // the id of the profile, from its creation on
  let isOpen = true;
  let last: Promise<unknown> = Promise.resolve();

  async function discard(): Promise<void> {
    const id = unsaved;
    made = null;
    unsaved = null;
    if (id !== null) await deleteProfile(id).catch(() => setLeaving(id, false)); // then it is listed, to be deleted there
  }

  async function create(voice: DraftVoice): Promise<Made> {
    const profile = await createProfile({ ...profileOf(voice), voice_type: "cloned" });
    setLeaving(profile.id, true);
    unsaved = profile.id;
    try {
      if (!isOpen) throw new DOMException("closed", "AbortError");
      const sample = await addSample(profile.id, voice.consent, voice);
      return { profile, sample, of: voice };
    } catch (error) {
      await discard();
      throw error;
    }
  }

  async function update(voice: DraftVoice): Promise<Made> {
    if (made && !hasSameSample(made.of, voice)) await discard();
    if (!made) made = await create(voice);
    else if (JSON.stringify(profileOf(made.of)) !== JSON.stringify(profileOf(voice)))
      made = { ...made, profile: await updateProfile(made.profile.id, profileOf(voice)), of: voice };
    return made;
  }

  /** Makes the profile as it is described now, one request after the other; what is unchanged is not sent again. */
  function prepare(voice: DraftVoice): Promise<Made> {
    const next = last.then(() => update(voice));
    last = next.catch(() => undefined);
    return next;
  }

  return {
    open(): void {
      isOpen = true;
    },
    close(): void {
      isOpen = false;
      void discard();
    },
    prepare,
    /** Keeps the profile: it is a voice like the others now. */
    async save(voice: DraftVoice): Promise<Profile> {
      const { profile } = await prepare(voice);
      made = null;
      unsaved = null;
      setLeaving(profile.id, false);
      refresh();
      return profile;
    },
  };
}

/** Deletes the unsaved profile when the wizard closes, and when the window does. */
export function useDraftVoice() {
  const client = useQueryClient();
  const drafts = useMemo(() => createDrafts(() => void refreshVoice(client)), [client]);
  useEffect(() => {
    drafts.open();
    const leave = () => drafts.close();
    window.addEventListener("pagehide", leave);
    return () => {
      window.removeEventListener("pagehide", leave);
      leave();
    };
  }, [drafts]);
  return drafts;
}
