const marks = /^[ \t]*#{1,6}[ \t]+(?=\S)/gm;

/** Returns a text for reading: headings such as "# Winter" without their marks, as in backend/text. */
export const asRead = (text: string): string => text.replace(marks, "");

/** Reports whether a text is one heading. */
export const isHeading = (text: string): boolean => asRead(text) !== text && !text.trim().includes("\n");

/** Returns the title of what is spoken, else the first words of its text. */
export const titleOrWords = ({ title, text }: { title: string; text: string }, characters: number): string =>
  title || asRead(text.slice(0, characters));
