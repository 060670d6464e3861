import type { Profile } from "@/api/types";
import { Portrait } from "@/ui";

/** A voice in a few pixels: its portrait and its name. */
export function VoiceBadge({ profile, size = 20 }: { profile: Pick<Profile, "id" | "name">; size?: number }) {
  return <span className="inline-flex min-w-0 items-center gap-2"><Portrait id={profile.id} size={size} /><span className="truncate" dir="auto">{profile.name}</span></span>;
}
