import { describe, expect, it } from "vitest";
import type { AccountCall } from "@/api/usage";
import { summaryOf } from "./usageDays";

const now = new Date("2026-11-29T12:00:00Z");
const call = (createdAt: string, part: Partial<AccountCall> = {}): AccountCall => ({
  id: createdAt,
  createdAt,
  characters: 10,
  credits: 5,
  status: "charged",
  ...part,
});

function used(calls: readonly AccountCall[], zone: string, at = now, isCut = false) {
  const summary = summaryOf({ calls, isCut }, at, zone);
  return { ...summary, busy: summary.days.filter((day) => day.calls > 0).map(({ day, calls }) => `${day} ${calls}`) };
}

describe("the usage of a day", () => {
  it("is summed over its calls, for thirty days that end today", () => {
    const calls = [call("2026-11-29T11:00:00Z", { credits: 700, characters: 300 }), call("2026-11-29T00:00:00Z")];
    const { days, total } = used([...calls, call("2026-10-31T08:00:00Z")], "UTC");
    expect(days).toHaveLength(30);
    expect(days.at(-1)).toEqual({ day: "2026-11-29", calls: 2, characters: 310, credits: 705 });
    expect(days[0]).toEqual({ day: "2026-10-31", calls: 1, characters: 10, credits: 5 });
    expect(days[1]).toEqual({ day: "2026-11-01", calls: 0, characters: 0, credits: 0 });
    expect(total).toEqual({ calls: 3, characters: 320, credits: 710 });
  });

  it.each([
    ["UTC", ["2026-11-27 1", "2026-11-28 1"]],
    ["Europe/Berlin", ["2026-11-28 2"]],
    ["America/Los_Angeles", ["2026-11-27 1", "2026-11-28 1"]],
    ["Pacific/Kiritimati", ["2026-11-28 1", "2026-11-29 1"]],
    ["Asia/Kathmandu", ["2026-11-28 1", "2026-11-29 1"]],
  ])("is that of the time zone %s", (zone, days) => {
    expect(used([call("2026-11-28T22:30:00Z"), call("2026-11-27T23:30:00Z")], zone).busy).toEqual(days);
  });

  it("ends today in a zone whose day is another one", () => {
    const late = new Date("2026-11-29T23:30:00Z");
    expect(used([], "Europe/Berlin", late).days.at(-1)?.day).toBe("2026-11-30");
    expect(used([], "America/New_York", late).days.at(-1)?.day).toBe("2026-11-29");
  });

  it.each([
    // The day has 23 hours, then 25; the hour from 02:00 is there twice.
    [
      "2026-04-10T12:00:00Z",
      ["2026-03-28T22:59:59Z", "2026-03-28T23:00:00Z", "2026-03-29T21:59:59Z", "2026-03-29T22:00:00Z"],
    ],
    [
      "2026-11-05T12:00:00Z",
      ["2026-10-24T21:59:59Z", "2026-10-24T22:00:00Z", "2026-10-25T22:59:59Z", "2026-10-25T23:00:00Z"],
    ],
  ])("begins and ends at midnight where the clocks change (%s)", (at, instants) => {
    const { busy, days } = used(
      instants.map((when) => call(when)),
      "Europe/Berlin",
      new Date(at),
    );
    const month = at.startsWith("2026-04")
      ? ["2026-03-28", "2026-03-29", "2026-03-30"]
      : ["2026-10-24", "2026-10-25", "2026-10-26"];
    expect(busy).toEqual([`${month[0]} 1`, `${month[1]} 2`, `${month[2]} 1`]);
    expect(new Set(days.map(({ day }) => day)).size).toBe(30);
  });

  it("has the 29th of February", () => {
    const days = used([], "UTC", new Date("2028-03-01T12:00:00Z")).days.map(({ day }) => day);
    expect(days.slice(-3)).toEqual(["2028-02-28", "2028-02-29", "2028-03-01"]);
    expect(days[0]).toBe("2028-02-01");
  });

  it("costs nothing for what was refunded, and counts what is reserved", () => {
    const calls = [
      call("2026-11-29T11:00:00Z", { id: "a", status: "held", credits: 40 }),
      call("2026-11-29T10:00:00Z", { id: "b", status: "refunded", credits: 900 }),
      call("2026-11-29T09:00:00Z", { id: "c" }),
    ];
    const { total, refunded, held } = used(calls, "UTC");
    expect(total).toEqual({ calls: 3, characters: 30, credits: 45 });
    expect([refunded, held]).toEqual([1, 1]);
  });

  it("leaves out older calls, and takes a call of a clock ahead for one of today", () => {
    const calls = [call("2026-11-30T00:00:30Z"), call("2026-10-30T23:59:59Z", { status: "refunded" })];
    const { busy, refunded, knownFrom } = used(calls, "UTC");
    expect(busy).toEqual(["2026-11-29 1"]);
    expect(refunded).toBe(0);
    expect(knownFrom).toBeNull();
  });

  it("is unknown before the oldest call of a list that was cut", () => {
    const calls = [call("2026-11-29T11:00:00Z"), call("2026-11-20T11:00:00Z")];
    expect(used(calls, "UTC", now, true).knownFrom).toBe("2026-11-20");
    expect(used([...calls, call("2026-10-01T11:00:00Z")], "UTC", now, true).knownFrom).toBeNull();
  });
});
