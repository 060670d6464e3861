const mark = /^[ \t]*#{1,6}[ \t]+(?=\S)/;

/** Reports whether a text is one heading, as in backend/text: "# Winter". */
export const isHeading = (text: string): boolean => mark.test(text) && !text.trim().includes("\n");

/** Returns a line of a text for reading: a heading without its mark. */
export const asRead = (line: string): string => line.replace(mark, "");
