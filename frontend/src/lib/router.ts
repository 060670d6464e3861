import { createStore, useStore } from "@/lib/store";

/** The current address: `#/history/ID?search=x` is screen "history", rest ["ID"], query search=x. */
export interface Route {
  screen: string;
  segments: string[];
  query: URLSearchParams;
}

export const homeScreen = "studio" as const;

/** Returns a decoded part of the address; one that is typed or cut off may not be decodable. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

let screens: ReadonlySet<string> | null = null;

function read(): Route {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [screen = "", ...segments] = path.split("/").filter(Boolean).map(decode);
  if (screens && !screens.has(screen)) return { screen: homeScreen, segments: [], query: new URLSearchParams() };
  return { screen: screen || homeScreen, segments, query: new URLSearchParams(query) };
}

const store = createStore<Route>(read());
let lastRead = location.hash;

function update(): void {
  lastRead = location.hash;
  store.set(read());
}
window.addEventListener("hashchange", update);

/**
 * Lists the screens that there are. Any other address, such as a mistyped one or that of a token, is read as the home
 * screen's, which is what the window shows then: so all parts of the page agree on where they are.
 */
export function setScreens(ids: readonly string[]): void {
  screens = new Set(["", ...ids]);
  update();
}

/** Returns the address of a screen: `href("history", [id], { search })`. */
export function href(
  screen: string,
  segments: readonly string[] = [],
  query: Record<string, string | undefined> = {},
): string {
  const path = [screen, ...segments].map(encodeURIComponent).join("/");
  const pairs = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  const text = new URLSearchParams(pairs).toString();
  return `#/${path}${text ? `?${text}` : ""}`;
}

/**
 * Goes to an address. With `replace` it changes the one of the current screen, unless the person has followed a link
 * whose event is still to come: a filter that is written after a pause must not bring back the screen they left.
 */
export function navigate(to: string, options: { replace?: boolean } = {}): void {
  const hasLeft = location.hash !== lastRead;
  if (options.replace && !hasLeft) history.replaceState(null, "", to);
  else if (!options.replace && location.hash !== to) history.pushState(null, "", to);
  update();
}

export function useRoute(): Route {
  return useStore(store);
}

/** One value in the address of the current screen, for filters and tabs that survive a reload. */
export function useQueryParam(name: string): [string, (value: string) => void] {
  const { query } = useRoute();
  const set = (value: string) => {
    const now = store.get(); // another value may have been set since the last rendering
    const others = Object.fromEntries(now.query);
    navigate(href(now.screen, now.segments, { ...others, [name]: value }), { replace: true });
  };
  return [query.get(name) ?? "", set];
}
