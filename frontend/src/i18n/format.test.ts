import { describe, expect, it } from "vitest";
import { makeFormat } from "./format";

describe("how long something takes", () => {
  it.each(["en", "de"])("is said in one way in %s", (language) => {
    const { duration } = makeFormat(language);
    const said = [0.2, 8, 59, 89, 90, 600, 5400].map(duration).map((text) => text.replace("\u00a0", " "));
    expect(said).toEqual(["1 s", "8 s", "59 s", "89 s", "2 min", "10 min", language === "de" ? "1,5 h" : "1.5 h"]);
  });

  it("stays on one line", () => expect(makeFormat("en").duration(20)).toBe("20\u00a0s"));
});
