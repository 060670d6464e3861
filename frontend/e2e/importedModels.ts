import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { ask } from "./seed";
import type { Server } from "./studio";

const kit = "../engines/diarize/testdata/kit";

/** A recording of four tones, which the networks of `importDiarizer` take for voices. */
export const tonesFile = `${kit}/audio/tones.wav`;

/** Imports one of the authored models that transcribe, so that this needs no network. */
export async function importTranscriber(server: Server, name = "plain"): Promise<void> {
  const path = join(server.data, `ggml-${name}.bin`);
  await writeFile(path, gunzipSync(await readFile(`../engines/whisper/whispertest/testdata/ggml-${name}.bin.gz`)));
  await ask(server, "/models/import", { path, engine: "whisper", name: `kit-${name}` });
}

/** Imports the small networks that tell tones apart as if they were voices. */
export async function importDiarizer(server: Server): Promise<void> {
  const path = join(server.data, "tones");
  await mkdir(path);
  await copyFile(`${kit}/graphs/toy_seg.onnx`, join(path, "segmentation.onnx"));
  await copyFile(`${kit}/graphs/toy_emb_3d.onnx`, join(path, "voices.onnx"));
  await ask(server, "/models/import", { path, engine: "diarize", name: "tones" });
}
