import { toApiError } from "@/api/errors";
import type { useCreateProfile } from "@/api/profiles";
import type { Profile } from "@/api/types";

type Create = ReturnType<typeof useCreateProfile>["mutateAsync"];

/** Creates a profile under the first of some names that is free, as each must be unique. */
export async function createUnderFreeName(
  create: Create,
  [name = "", ...others]: readonly string[],
  body: Omit<Parameters<Create>[0], "name">,
): Promise<Profile> {
  try {
    return await create({ ...body, name });
  } catch (thrown) {
    if (toApiError(thrown).code !== "name_taken" || others.length === 0) throw thrown;
    return createUnderFreeName(create, others, body);
  }
}
