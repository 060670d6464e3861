/** Returns a language tag without its region. */
export const baseLanguage = (tag: string): string => tag.split("-")[0] ?? tag;

/** Returns the name of a language by its tag. */
export type LanguageName = (tag: string) => string;
