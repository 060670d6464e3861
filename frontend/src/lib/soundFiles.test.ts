import { expect, it } from "vitest";
import { isSound, soundFiles } from "./soundFiles";

it("takes audio and video by their kind, or by their ending where the browser knows none", () => {
  for (const name of ["a.gsm", "B.G722", "c.dts", "d.mxf", "e.tar.voc", "f.mp3"]) {
    expect(isSound({ name, type: "" })).toBe(true);
    expect(soundFiles.split(",")).toContain(`.${name.toLowerCase().split(".").at(-1)}`);
  }
  expect(isSound({ name: "odd", type: "audio/x-odd" })).toBe(true);
  for (const name of ["a.txt", "gsm", "a.m3u8", "a.gsm.pdf"]) expect(isSound({ name, type: "" })).toBe(false);
});
