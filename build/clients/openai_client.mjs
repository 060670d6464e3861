// Uses the local API with OpenAI's client for Node: openai_client.mjs URL MODEL AUDIO GOLDEN.
//
// AUDIO is a file whose text the transcription model MODEL knows; GOLDEN.srt and GOLDEN.vtt are that text.

import assert from "node:assert/strict";
import { createReadStream, readFileSync } from "node:fs";

import OpenAI from "../lib/clients/node/node_modules/openai/index.mjs";
import { VERSION } from "../lib/clients/node/node_modules/openai/version.mjs";

const [url, model, audio, golden] = process.argv.slice(2);
const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "abc", maxRetries: 0, timeout: 120_000 });
const [srt, vtt] = ["srt", "vtt"].map((format) => readFileSync(`${golden}.${format}`, "utf8"));
const lines = srt.split("\n").filter((_, i) => i % 4 === 2).map((line) => line.trim());
const text = lines.join(" ");
const starts = { mp3: /^(494433|fffb|fff3)/, opus: /^4f676753/, aac: /^fff1/, flac: /^664c6143/, wav: /^52494646/, pcm: /^/ };

// seconds returns the length of a 16-bit mono WAV file with the usual header of 44 bytes.
const seconds = (wav) => (wav.length - 44) / 2 / wav.readUInt32LE(24);

async function models() {
  const names = [];
  for await (const m of client.models.list()) names.push(m.id);
  for (const name of [model, "espeak", "tts-1", "whisper-1"]) assert(names.includes(name), `models: no ${name} in ${names}`);
  assert.equal((await client.models.retrieve(model)).id, model, "model");
}

async function speak(options) {
  const response = await client.audio.speech.create({ model: "tts-1", voice: "alloy", input: "Hello there.", ...options });
  return Buffer.from(await response.arrayBuffer());
}

async function speech() {
  const sounds = {};
  for (const [format, start] of Object.entries(starts)) {
    sounds[format] = await speak({ response_format: format });
    assert.match(sounds[format].toString("hex", 0, 4), start, `beginning of ${format}`);
  }
  const length = seconds(sounds.wav);
  assert(length > 0.3, `wav: ${length} s`);
  const samples = sounds.pcm.length / 2 / 24000;
  assert(Math.abs(samples - length) < 0.01, `pcm: ${samples} s instead of ${length} s`);
  const fast = seconds(await speak({ model: "espeak", response_format: "wav", speed: 2 }));
  assert(fast < 0.8 * length, `speed 2: ${fast} s instead of half of ${length} s`);
}

async function speechAsEvents() {
  const body = await speak({ response_format: "wav", stream_format: "sse" });
  const events = body.toString().trim().split("\n\n").map((event) => JSON.parse(event.replace(/^data: /, "")));
  assert.equal(events.pop().type, "speech.audio.done", "last event of speech");
  for (const event of events) assert.equal(event.type, "speech.audio.delta", "event of speech");
  const sound = Buffer.concat(events.map((event) => Buffer.from(event.audio, "base64")));
  assert(seconds(sound) > 0.3, `events: ${seconds(sound)} s`);
}

const transcribe = (options) => client.audio.transcriptions.create({ model, file: createReadStream(audio), ...options });

async function transcription() {
  assert.equal((await transcribe()).text, text, "json");
  assert.equal((await transcribe({ response_format: "text" })).trim(), text, "text");
  assert.equal(await transcribe({ response_format: "srt" }), srt, "srt");
  assert.equal(await transcribe({ response_format: "vtt" }), vtt, "vtt");
  const both = await transcribe({ response_format: "verbose_json", timestamp_granularities: ["segment", "word"] });
  assert.equal(both.text, text, "text of verbose_json");
  assert.deepEqual([both.language, both.duration], ["en", 5 * 2 * lines.length], "language and duration of verbose_json");
  assert.deepEqual(both.segments.map((s) => s.text.trim()), lines, "segments of verbose_json");
  assert.deepEqual(both.segments.map((s) => [s.start, s.end]), lines.map((_, i) => [10 * i, 10 * i + 10]), "times of segments");
  assert.equal(both.words.map((w) => w.word).join(" "), text, "words of verbose_json");
  const times = both.words.flatMap((w) => [w.start, w.end]);
  assert.deepEqual(times, times.toSorted((a, b) => a - b), "times of words");
}

async function transcriptionAsEvents() {
  const events = [];
  for await (const event of await transcribe({ stream: true })) events.push(event);
  const last = events.pop();
  assert.deepEqual([last.type, last.text], ["transcript.text.done", text], "last event of a transcription");
  assert.equal(events.map((event) => event.delta).join(""), text, "deltas");
}

async function translation() {
  const translated = await client.audio.translations.create({ model, file: createReadStream(audio) });
  assert.equal(translated.text, text, "translation");
}

async function refused(kind, status, code, call) {
  await assert.rejects(call, (error) => {
    assert(error instanceof kind, `${code}: ${error}`);
    assert.deepEqual([error.status, error.code], [status, code], "error");
    assert(error.message, "error: no message");
    return true;
  });
}

async function errors() {
  const stranger = client.withOptions({ apiKey: "wrong" });
  await refused(OpenAI.AuthenticationError, 401, "unauthorized", () => stranger.models.list());
  await refused(OpenAI.NotFoundError, 404, "model_unknown", () => client.models.retrieve("nobody"));
  await refused(OpenAI.NotFoundError, 404, "model_unknown", () => speak({ model: "nobody" }));
  await refused(OpenAI.UnprocessableEntityError, 422, "enum", () => speak({ voice: "nobody" }));
}

for (const check of [models, speech, speechAsEvents, transcription, transcriptionAsEvents, translation, errors]) await check();
console.log(`openai ${VERSION} for Node: all good`);
