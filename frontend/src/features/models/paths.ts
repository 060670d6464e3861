/** Whether a path names its place from the top, in the way of any system: the program may run on another one than this window. */
export const isWhole = (path: string): boolean => /^(\/|[a-z]:[\\/]|\\\\)/i.test(path);

/** The last part of a path: how people know a file. */
export const fileName = (path: string): string => path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;
