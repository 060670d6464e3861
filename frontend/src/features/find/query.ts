/** What to find in a text, and what to replace it with. */
export interface FindQuery {
  search: string;
  replace: string;
  matchCase: boolean;
  wholeWords: boolean;
  isExpression: boolean;
}
export interface Match {
  from: number;
  to: number;
}

export const emptyQuery: FindQuery = {
  search: "",
  replace: "",
  matchCase: false,
  wholeWords: false,
  isExpression: false,
};

const syntax = /[\\^$.*+?()[\]{}|/]/g;

/** Returns the source of the regular expression of a query, for every kind of query. */
export function sourceOf({ search, wholeWords, isExpression }: FindQuery): string {
  const source = isExpression ? search : search.replace(syntax, "\\$&");
  return wholeWords ? `(?<![\\p{L}\\p{N}_])(?:${source})(?![\\p{L}\\p{N}_])` : source;
}

/** Returns what a match is replaced with, in the notation of String.replace. */
export const replacementOf = ({ replace, isExpression }: FindQuery): string =>
  isExpression ? replace : replace.replaceAll("$", "$$$$");

/** Returns the regular expression of a query; null if there is nothing to find or the expression is invalid. */
export function expressionOf(query: FindQuery): RegExp | null {
  if (query.search === "") return null;
  try {
    return new RegExp(sourceOf(query), query.matchCase ? "gmu" : "gimu");
  } catch {
    return null;
  }
}

/** Returns the matches in the order of the text. */
export function matchesIn(text: string, expression: RegExp | null): Match[] {
  if (!expression) return [];
  return [...text.matchAll(expression)]
    .filter(([found]) => found !== "")
    .map(({ index, 0: found }) => ({ from: index, to: index + found.length }));
}

/** Returns the text with all matches replaced. */
export function replaceAll(text: string, query: FindQuery): string {
  const expression = expressionOf(query);
  return expression ? text.replace(expression, replacementOf(query)) : text;
}

/** Returns what one match of a text is replaced with. */
export function replacementAt(text: string, { from, to }: Match, query: FindQuery): string {
  const expression = expressionOf(query);
  if (!expression) return text.slice(from, to);
  const once = new RegExp(expression.source, expression.flags.replace("g", "y"));
  once.lastIndex = from;
  const replaced = text.replace(once, replacementOf(query));
  return replaced.slice(from, replaced.length - (text.length - to));
}
