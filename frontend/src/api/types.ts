import type { components } from "./schema";

type Schemas = components["schemas"];

export type Generation = Schemas["GenerationView"];
export type HistoryHit = Schemas["HitView"];
export type GenerationStatus = Generation["status"];
export type GenerateRequest = Schemas["GenerateBody"];
export type GenerationChanges = Schemas["GenerationChanges"];
export type Chunk = Schemas["Chunk"];
export type Word = Schemas["Word"];
export type Receipt = Schemas["Receipt"];
export type HistoryStats = Schemas["HistoryStats"];
export type Storage = Schemas["Storage"];
export type Profile = Schemas["Profile"];
export type NewProfile = Schemas["NewProfile"];
export type ProfileChanges = Schemas["ProfileChanges"];
export type Model = Schemas["ModelStatus"];
export type ModelProgress = Schemas["ModelProgress"];
export type ModelsDirectory = Schemas["ModelsDirectory"];
export type ModelVerified = Schemas["ModelVerified"];
export type CatalogueItem = Schemas["CatalogueItem"];
export type Draft = Schemas["Draft"];
export type Pronunciation = Schemas["Pronunciation"];
export type NewPronunciation = Schemas["NewPronunciation"];
export type PronunciationChanges = Schemas["PronunciationChanges"];
export type Script = Schemas["ScriptView"];
export type ScriptRequest = Schemas["ScriptRequest"];
export type TextPreview = Schemas["Spoken"];
export type TextPreviewRequest = Schemas["TextPreviewRequest"];
export type SystemInfo = Schemas["Info"];
export type Device = Schemas["Device"];
export type Health = Schemas["Health"];
export type Failure = Schemas["Failure"];
export type FieldError = Schemas["FieldError"];

const ended: readonly GenerationStatus[] = ["complete", "failed", "cancelled"];

/** Whether nothing more will happen to a generation by itself. */
export function hasEnded(status: GenerationStatus): boolean {
  return ended.includes(status);
}
