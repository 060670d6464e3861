/** Reports whether a path is absolute on any system: the server may run on another system than this window. */
export const isWhole = (path: string): boolean => /^(\/|[a-z]:[\\/]|\\\\)/i.test(path);

/** Returns the last part of a path. */
export const fileName = (path: string): string => path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;
