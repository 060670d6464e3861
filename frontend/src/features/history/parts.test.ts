import { describe, expect, test } from "vitest";
import { makeFormat } from "@/i18n/format";
import { aGeneration } from "@/test";
import { indexAt, startsOf, toEntries } from "./entries";
import { fileName } from "@/api/save";
import { fillDrag, isFresh } from "./files";
import { filterHref, isFiltered, noFilter, readFilter, toQuery } from "./filters";
import { splitHighlight } from "@/ui";
import { toRow } from "./rows";
import { anchorAt, chooseAll, extendTo, keepOnly, noSelection, toggle } from "./selection";
import { soundWords } from "./StoragePanel";
import { keptPlace, slotsOf } from "./useWindow";

const at = (when: Date, id = when.toISOString()) => toRow(aGeneration({ id, created_at: when.toISOString() }));

describe("days", () => {
  const now = new Date();
  const day = (ago: number, hour: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - ago, hour, 30);
  const rows = [at(day(0, 1)), at(day(0, 0)), at(day(1, 23)), at(day(9, 12))];

  test("a heading before each day in the local time zone", () => {
    expect(toEntries(rows, true).map((entry) => entry.kind)).toEqual(["day", "row", "row", "day", "row", "day", "row"]);
    expect(toEntries(rows, false).every((entry) => entry.kind === "row")).toBe(true);
  });

  test.each([
    ["en", "today", "yesterday"],
    ["de", "heute", "gestern"],
  ])("worded in %s", (language, today, yesterday) => {
    const days = toEntries(rows, true).flatMap((entry) =>
      entry.kind === "day" ? [makeFormat(language).day(entry.when)] : [],
    );
    expect(days.slice(0, 2)).toEqual([today, yesterday]);
    expect(days[2]).toContain(new Intl.DateTimeFormat(language, { weekday: "long" }).format(day(9, 12)));
  });

  test("rows that are added above the view do not move it", () => {
    const before = toEntries(rows, true);
    const seen = { entries: before, starts: startsOf(before), top: 120, resetKey: "" };
    const after = toEntries([at(day(0, 2), "new"), ...rows], true);
    expect(keptPlace(seen, after, startsOf(after))).toBe(156);
    const without = toEntries(rows.slice(1), true);
    expect(keptPlace(seen, without, startsOf(without))).toBe(84);
    expect(indexAt(startsOf(before), 36)).toBe(1);
  });
});

describe("slots", () => {
  const range = { first: 7, last: 10, top: 8, base: 7, size: 4 };
  test("when scrolling stops, the lines have their visual order in the DOM", () => {
    expect(slotsOf(range).map((line) => line.index)).toEqual([7, 8, 9, 10]);
  });
  test("during scrolling a new line reuses the slot of one that left, and the others stay", () => {
    const before = slotsOf(range);
    const after = slotsOf({ ...range, first: 9, last: 12, top: 10 });
    expect(after.map((line) => line.slot)).toEqual(before.map((line) => line.slot));
    expect(after.map((line) => line.index)).toEqual([11, 12, 9, 10]);
    expect(slotsOf({ ...range, first: 9, last: 12, base: 9 }).map((line) => line.index)).toEqual([9, 10, 11, 12]);
  });
  test("a short list renders only its own lines", () => {
    expect(slotsOf({ first: 0, last: 1, top: 0, base: 0, size: 4 })).toEqual([
      { slot: 0, index: 0 },
      { slot: 1, index: 1 },
    ]);
    expect(slotsOf({ first: 0, last: -1, top: 0, base: 0, size: 4 })).toEqual([]);
  });
});

describe("highlight", () => {
  test("marks the matches", () => {
    expect(splitHighlight("…the <mark>lamp</mark> of <mark>Çal</mark>")).toEqual([
      { text: "…the ", hit: false },
      { text: "lamp", hit: true },
      { text: " of ", hit: false },
      { text: "Çal", hit: true },
    ]);
  });

  test("text that looks like HTML stays text", () => {
    const hostile = "&lt;img src=x onerror=alert(1)&gt;&lt;mark&gt;<mark>x</mark>&amp;lt;b&amp;gt; <script>a</script>";
    const parts = splitHighlight(hostile);
    expect(parts.filter((part) => part.hit)).toEqual([{ text: "x", hit: true }]);
    expect(parts.map((part) => part.text).join("")).toBe(
      "<img src=x onerror=alert(1)><mark>x&lt;b&gt; <script>a</script>",
    );
  });
});

describe("selection", () => {
  const order = ["a", "b", "c", "d", "e"];
  const ids = (selection: { ids: ReadonlySet<string> }) => [...selection.ids].sort().join("");

  test("shift selects from the anchor, and a shorter range deselects the rest", () => {
    const started = anchorAt(toggle(noSelection, "e"), "b");
    const wide = extendTo(started, order, "d");
    expect(ids(wide)).toBe("bcde");
    expect(ids(extendTo(wide, order, "c"))).toBe("bce");
    expect(ids(extendTo(wide, order, "a"))).toBe("abe");
  });
  test("all, none and rows that no longer exist", () => {
    expect(ids(chooseAll(order))).toBe("abcde");
    expect(ids(toggle(chooseAll(order), "c"))).toBe("abde");
    expect(ids(keepOnly(chooseAll(order), ["a", "z"]))).toBe("a");
    expect(ids(extendTo(noSelection, order, "c"))).toBe("c");
  });
});

describe("filter", () => {
  const now = new Date(2026, 10, 21, 15);
  test("becomes the parameters of the API", () => {
    expect(toQuery(noFilter, now)).toEqual({});
    expect(
      toQuery(
        {
          ...noFilter,
          search: " lamp ",
          voice: "v",
          engine: "kokoro",
          status: "failed",
          favorite: true,
          period: "week",
          sort: "longest",
        },
        now,
      ),
    ).toEqual({
      search: "lamp",
      profile_id: "v",
      engine: "kokoro",
      status: "failed",
      favorite: "true",
      sort: "longest",
      from: new Date(2026, 10, 15).toISOString(),
    });
  });
  test("days include the last one", () => {
    expect(toQuery({ ...noFilter, from: "2026-11-01", to: "2026-11-30" }, now)).toEqual({
      from: new Date(2026, 10, 1).toISOString(),
      to: new Date(2026, 11, 1).toISOString(),
    });
    expect(toQuery({ ...noFilter, period: "yesterday" }, now)).toEqual({
      from: new Date(2026, 10, 20).toISOString(),
      to: new Date(2026, 10, 21).toISOString(),
    });
  });
  test("survives the address, and invalid values in it are dropped", () => {
    const filter = {
      ...noFilter,
      search: "a&b",
      status: "failed" as const,
      period: "month" as const,
      favorite: true,
      sort: "oldest" as const,
    };
    expect(readFilter(new URLSearchParams(filterHref(filter, "id").split("?")[1]))).toEqual(filter);
    expect(readFilter(new URLSearchParams("status=bogus&from=yesterday&sort=up&period=x"))).toEqual(noFilter);
    expect(isFiltered({ ...noFilter, sort: "oldest" })).toBe(false);
    expect(isFiltered(filter)).toBe(true);
  });
});

describe("files", () => {
  test("names that every file system accepts", () => {
    expect(fileName({ title: "", text: 'What? A/B: "test"\nof names...' }, "x")).toBe("What A B test of names");
    expect(fileName({ title: "???", text: "" }, "voicewright")).toBe("voicewright");
  });
  test("a signed address and dragging out", () => {
    expect(isFresh("/audio/a?exp=2000&sig=x", 1_000_000)).toBe(true);
    expect(isFresh("/audio/a?exp=1000&sig=x", 1_000_000)).toBe(false);
    const set: Record<string, string> = {};
    fillDrag(
      {
        setData: (type: string, value: string) => {
          set[type] = value;
        },
      } as unknown as DataTransfer,
      { title: "A: b", text: "", format: "mp3", audioUrl: "/audio/a?exp=1", audioPath: "/data/audio/a b.mp3" },
      "x",
    );
    expect(set.DownloadURL).toBe(`audio/mpeg:A b.mp3:${location.origin}/audio/a?exp=1`);
  });
  test("the desktop window drags out the file itself", () => {
    const set: Record<string, string> = {};
    const drag = (audioPath: string) =>
      fillDrag(
        {
          setData: (type: string, value: string) => {
            set[type] = value;
          },
        } as unknown as DataTransfer,
        { title: "A", text: "", format: "wav", audioUrl: "/audio/a", audioPath },
        "x",
      );
    window.go = { desktop: { Bridge: { Address: () => Promise.resolve({ url: "", token: "" }) } } };
    drag("/data/a b#1.wav");
    expect(set["text/uri-list"]).toBe("file:///data/a%20b%231.wav");
    drag("C:\\Data\\a.wav");
    expect(set["text/uri-list"]).toBe("file:///C:/Data/a.wav");
    delete window.go;
  });
  test("the total length of the audio, in words", () => {
    const format = makeFormat("en");
    expect([soundWords(1_001_160, format), soundWords(600, format), soundWords(1, format)]).toEqual([
      "278 hours",
      "10 minutes",
      "1 second",
    ]);
  });
});
