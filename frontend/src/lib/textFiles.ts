/** The kinds of text files that are read, as the server does (backend/extract/format.go). */
export const fileTypes = ".txt,.fountain,.md,.markdown,.srt,.vtt,.html,.htm,.xhtml,.epub,.docx,.docm,.pdf";

const ending = new RegExp(`(${fileTypes.replaceAll(".", "\\.").replaceAll(",", "|")})$`, "i");

/** Reports whether a file is a text that the Studio opens. */
export const isTextFile = (name: string): boolean => ending.test(name);
