import { expect, it } from "vitest";
import { keepOrder } from "./shares";

it("keeps the place of each speaker while lines are corrected", () => {
  expect(keepOrder([], ["A", "B"])).toEqual(["A", "B"]);
  expect(keepOrder(["A", "B"], ["B", "A"])).toEqual(["A", "B"]); // the first line is Ben's now
  expect(keepOrder(["A", "B", "C"], ["X", "B", "C"])).toEqual(["X", "B", "C"]); // renamed
  expect(keepOrder(["A", "B", "C"], ["B", "C"])).toEqual(["B", "C"]); // merged
  expect(keepOrder(["A", "B"], ["N", "A", "B"])).toEqual(["A", "B", "N"]); // a new one speaks first
  expect(keepOrder(["A", "B"], ["X", "Y"])).toEqual(["X", "Y"]); // found again
});
