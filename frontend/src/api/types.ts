import type { components } from "./schema";

type Schemas = components["schemas"];

/** A request as the page sends it: without null, which the API takes in the place of a field that is not there. */
type Sent<T> = T extends readonly (infer Item)[]
  ? Sent<Item>[]
  : T extends object
    ? { [K in keyof T]: Sent<Exclude<T[K], null>> }
    : T;

export type Generation = Schemas["Generation"];
export type HistoryHit = Schemas["GenerationRow"];
export type GenerationStatus = Generation["status"];
export type RevisedGeneration = Schemas["RevisedGeneration"];
export type ReviseRequest = Sent<Schemas["ReviseRequest"]>;
export type LivePeaks = Schemas["LivePeaks"];
export type GenerateRequest = Sent<Schemas["GenerateRequest"]>;
export type GenerationChanges = Schemas["GenerationChanges"];
export type Chunk = Schemas["Chunk"];
export type Word = Schemas["Word"];
export type Receipt = Schemas["Receipt"];
export type HistoryStats = Schemas["HistoryStats"];
export type Storage = Schemas["HistoryStorage"];
export type Profile = Schemas["Profile"];
export type NewProfile = Schemas["NewProfile"];
export type ProfileChanges = Schemas["ProfileChanges"];
export type Consent = Schemas["Consent"];
export type ConsentKind = Consent["kind"];
export type Take = Schemas["Take"];
export type Sample = Schemas["Sample"];
export type SampleWarning = Schemas["SampleWarning"];
export type SampleCheck = Schemas["SampleCheck"];
export type Similarity = Schemas["Similarity"];
export type SampleModel = Schemas["CloneModel"];
export type ModelDetail = Schemas["ModelDetail"];
export type ModelVoice = Schemas["ModelVoice"];
export type Model = Schemas["ModelStatus"];
export type ModelProgress = Schemas["ModelProgress"];
export type ModelsDirectory = Schemas["ModelsDirectory"];
export type ModelVerified = Schemas["ModelVerifyResult"];
export type CatalogueItem = Schemas["CatalogueItem"];
export type CheckedBackup = Schemas["CheckedBackup"];
export type NewestVersion = Schemas["NewestVersion"];
export type Draft = Schemas["Draft"];
export type Pronunciation = Schemas["Pronunciation"];
export type PronunciationImport = Schemas["PronunciationImport"];
export type NewPronunciation = Schemas["NewPronunciation"];
export type PronunciationChanges = Schemas["PronunciationChanges"];
export type Script = Schemas["Script"];
export type ScriptRow = Schemas["ScriptRow"];
export type RevisedScript = Schemas["RevisedScript"];
export type ScriptRequest = Sent<Schemas["ScriptRequest"]>;
export type TextPreview = Schemas["TextPreview"];
export type TextPreviewRequest = Sent<Schemas["TextPreviewRequest"]>;
export type SystemInfo = Schemas["SystemInfo"];
export type Device = Schemas["SystemDevice"];
export type Health = Schemas["Health"];
export type Transcript = Schemas["Transcript"];
export type TranscriptRow = Schemas["TranscriptRow"];
export type TranscriptStatus = Transcript["status"];
export type FindingSpeakers = Schemas["FindingSpeakers"];
export type SpeakersRequest = Sent<Schemas["SpeakersRequest"]>;
export type TranscriptChanges = Sent<Schemas["TranscriptChanges"]>;
export type Segment = Schemas["Segment"];
export type KnownSpeaker = Schemas["KnownSpeaker"];
export type NewKnownSpeaker = Schemas["NewKnownSpeaker"];
export type HeardWord = Schemas["HeardWord"];
export type TranscriptionRequest = Sent<Schemas["TranscriptionRequest"]>;
export type Recording = Schemas["Recording"];
export type AudioDevice = Schemas["AudioDevice"];
export type TranscriptionModel = Schemas["TranscriptionModel"];
export type RerunRequest = Sent<Schemas["RerunRequest"]>;
export type Book = Schemas["Book"];
export type BookRow = Schemas["BookRow"];
export type BookChapter = Schemas["BookChapter"];
export type BookChapterText = Schemas["BookChapterText"];
export type BookBlock = Schemas["BookBlock"];
export type BookOptions = Schemas["BookOptions"];
export type BookLeftOut = Schemas["BookLeftOut"];
export type BookChanges = Schemas["BookChanges"];
export type BookChapterChanges = Schemas["BookChapterChanges"];
export type Suspect = Schemas["Suspect"];
export type BookState = Book["state"];
export type HostedStatus = Schemas["HostedStatus"];
export type HostedTest = Schemas["HostedTest"];
export type HostedQuote = Schemas["HostedQuote"];
export type HostedModel = Schemas["HostedModel"];
export type HostedVoice = Schemas["HostedVoice"];
export type HostedVoicePage = Schemas["HostedVoices"];
export type Failure = Schemas["Failure"];

const ended: readonly (GenerationStatus | TranscriptStatus)[] = ["complete", "failed", "cancelled"];

/** Reports whether a generation or transcript has ended, so that its state changes only by a request. */
export function hasEnded(status: GenerationStatus | TranscriptStatus): boolean {
  return ended.includes(status);
}
