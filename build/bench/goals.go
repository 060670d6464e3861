package main

import "slices"

// The headings of the page.
const (
	beside    = "Beside others"
	speech    = "Speech"
	hearing   = "Transcription and recordings"
	voices    = "Speakers"
	library   = "History and transcripts"
	downloads = "Models and downloads"
	bookRows  = "Books"
	service   = "Hosted service"
	programs  = "The programs"
)

// goals are the rows of the page.
var goals = slices.Concat(besideOthers, ourOwn)

// ourOwn are the rows that compare with nothing else. The graphs of Kokoro, KittenTTS, Supertonic and Pocket TTS in this repository are
// tiny, so the goal for what these engines add is 3 % of the published time of the real ones.
var ourOwn = []row{
	{
		what:  "Piper over the bare calls of ONNX Runtime on the same graph, time",
		group: speech, pkg: "engines/piper", name: "Overhead", unit: "ratio", goal: atMost(1.03), runs: 3,
	},
	{
		what:  "the same, memory",
		group: speech, pkg: "engines/piper", name: "Overhead", unit: "extra-MiB", shown: "MiB", goal: atMost(10), runs: 3,
	},
	{
		what:  "Kokoro, likewise, beyond the bare calls for 500 phonemes",
		group: speech, pkg: "engines/kokoro", name: "Overhead", unit: "ms/over", shown: "ms", goal: atMost(100),
	},
	{
		what:  "KittenTTS, likewise, for a second of sound",
		group: speech, pkg: "engines/kitten", name: "Overhead", unit: "us/s", shown: "µs", goal: atMost(1600),
	},
	{
		what:  "Supertonic, likewise, for a sentence of 4 s",
		group: speech, pkg: "engines/supertonic", name: "Overhead/kit", unit: "extra-ms", shown: "ms", goal: atMost(2),
	},
	{
		what:  "MOSS-TTS, likewise, time",
		group: speech, pkg: "engines/moss", name: "Overhead/", unit: "ratio", goal: atMost(1.03),
	},
	{
		what:  "Chatterbox, likewise, time",
		group: speech, pkg: "engines/chatterbox", name: "Overhead/nano", unit: "ratio", goal: atMost(1.03),
	},
	{
		what:  "Chatterbox, allocations of a step",
		group: speech, pkg: "engines/chatterbox", name: "Overhead/", unit: "extra-allocs", goal: atMost(1),
	},
	{
		what:  "Pocket TTS, likewise, for a frame",
		group: speech, pkg: "engines/pocket", name: "OverBareCalls/kit", unit: "extra-us", shown: "µs", goal: atMost(400),
	},
	{
		what:  "Pocket TTS, processor time",
		group: speech, pkg: "engines/pocket", name: "OverBareCalls/weighty", unit: "cpu-ratio", goal: atMost(1.03),
	},
	{
		what:  "a long text with Piper: processor time outside the engine's runs, espeak-ng included",
		group: speech, pkg: "app", name: "LongText", unit: "outside-%", shown: "%", goal: atMost(2),
	},
	{
		what:  "the same, speed over the same sentences with the engine alone",
		group: speech, pkg: "app", name: "LongText", unit: "speed", goal: atLeast(0.98),
	},
	{
		what:  "`/generate` with a voice that costs nothing, p50",
		group: speech, pkg: "app", name: "Generate", unit: "p50-ms", shown: "ms", goal: atMost(5),
	},
	{
		what:  "first audio of `/generate/stream` with such a voice, p50",
		group: speech, pkg: "app", name: "FirstSound", unit: "p50-ms", shown: "ms", goal: atMost(20),
	},
	{
		what:  "English letters to phonemes",
		group: speech, pkg: "engines/english", name: "English", unit: "words/s", shown: "words/s", goal: atLeast(50000),
	},
	{
		what:  "the same, words of the kit as misaki has them",
		group: speech, pkg: "engines/english", name: "Score", unit: "%exact", shown: "%", goal: atLeast(98),
	},
	{
		what:  "normalization of English",
		group: speech, pkg: "backend/text/english", name: "Normalize/", unit: "MB/s", shown: "MB/s", goal: atLeast(1),
	},
	{
		what:  "tokens of a text",
		group: speech, pkg: "engines/tokens", name: "Encode/", unit: "MB/s", shown: "MB/s", goal: atLeast(1),
	},
	{
		what:  "cancelling a transcription",
		group: hearing, pkg: "engines/whisper", name: "WhisperCancel", unit: "cancel-ms", shown: "ms", goal: atMost(200),
	},
	{
		what:  "speech in a recording, over real time",
		group: hearing, pkg: "engines/vad", name: "VAD/", unit: "x-real-time", shown: "×", goal: atLeast(200),
	},
	{
		what:  "a recording read as mono, over real time",
		group: hearing, pkg: "backend/audio", name: "StreamMono/", unit: "x-real-time", shown: "×", goal: atLeast(300), runs: 3,
	},
	{
		what:  "the analysis of a recorded voice, over real time",
		group: hearing, pkg: "backend/samples", name: "Analyse/", unit: "x-real-time", shown: "×", goal: atLeast(60),
	},
	{
		what:  "speakers of a recording, thorough: time over its length",
		group: voices, pkg: "engines/diarize", name: "Speakers/thorough", unit: "rtf", goal: atMost(0.25),
	},
	{
		what:  "the same, balanced",
		group: voices, pkg: "engines/diarize", name: "Speakers/balanced", unit: "rtf",
	},
	{
		what:  "the same, fast",
		group: voices, pkg: "engines/diarize", name: "Speakers/fast", unit: "rtf", goal: atMost(0.08),
	},
	{
		what:  "processor time, thorough",
		group: voices, pkg: "engines/diarize", name: "Speakers/thorough", unit: "cpu-rtf",
	},
	{
		what:  "4,000 voices, each compared with each, memory",
		group: voices, pkg: "engines/diarize", name: "SpeakersClusters/4000", unit: "MB", shown: "MB", goal: atMost(65), runs: 3,
	},
	{
		what:  "86,000 voices (12 h) compared",
		group: voices, pkg: "engines/diarize", name: "SpeakersClusters/86000", unit: "s", shown: "s", goal: atMost(10), runs: 3,
	},
	{
		what:  "memory beyond that of the process, both networks",
		group: voices, pkg: "engines/diarize", name: "SpeakersMemory/", unit: "MB", shown: "MB", goal: atMost(300), runs: 1,
	},
	{
		what:  "history of 100,000: search, p95",
		group: library, pkg: "backend/sqlite", name: "History/search/", unit: "p95-ms", shown: "ms", goal: atMost(20),
	},
	{
		what:  "the same with three words",
		group: library, pkg: "backend/sqlite", name: "History/search/three-words", unit: "p95-ms", shown: "ms", goal: atMost(20),
	},
	{
		what:  "the same with three rarer words",
		group: library, pkg: "backend/sqlite", name: "History/search/three-rarer", unit: "p95-ms", shown: "ms", goal: atMost(20),
	},
	{
		what:  "the same, all parts of the list",
		group: library, pkg: "backend/sqlite", name: "History/search/next-parts", unit: "p95-ms", shown: "ms", goal: atMost(20),
	},
	{
		what:  "history of 100,000: a page, p95",
		group: library, pkg: "backend/sqlite", name: "History/page/", unit: "p95-ms", shown: "ms", goal: atMost(10),
	},
	{
		what:  "history of 100,000: insert, p95",
		group: library, pkg: "backend/sqlite", name: "History/insert", unit: "p95-ms", shown: "ms", goal: atMost(5),
	},
	{
		what:  "transcripts of 100,000: search, p95",
		group: library, pkg: "backend/sqlite", name: "Transcripts/search/", unit: "p95-ms", shown: "ms", goal: atMost(20),
	},
	{
		what:  "the same with three words",
		group: library, pkg: "backend/sqlite", name: "Transcripts/search/three-words", unit: "p95-ms", shown: "ms", goal: atMost(20),
	},
	{
		what:  "transcripts of 100,000: a page, p95",
		group: library, pkg: "backend/sqlite", name: "Transcripts/page/", unit: "p95-ms", shown: "ms", goal: atMost(10),
	},
	{
		what:  "transcripts of 100,000: insert, p95",
		group: library, pkg: "backend/sqlite", name: "Transcripts/insert", unit: "p95-ms", shown: "ms", goal: atMost(5),
	},
	{
		what:  "memory of a download of 8 GB",
		group: downloads, pkg: "backend/hub", name: "Memory", unit: "MB", shown: "MB", goal: atMost(8), runs: 3,
	},
	{
		what:  "resume of 5 GB: the first new byte",
		group: downloads, pkg: "backend/hub", name: "Resume", unit: "first-byte-ms", shown: "ms", goal: atMost(1000), runs: 3,
	},
	{
		what:  "cancelling a download",
		group: downloads, pkg: "backend/hub", name: "Resume", unit: "cancel-ms", shown: "ms", goal: atMost(200), runs: 3,
	},
	{
		what:  "status of 300 models, p95",
		group: downloads, pkg: "backend/models", name: "Status", unit: "p95-ms", shown: "ms", goal: atMost(5),
	},
	{
		what:  "the same over HTTP, p95",
		group: downloads, pkg: "backend/httpapi", name: "Status", unit: "p95-ms", shown: "ms", goal: atMost(5),
	},
	{
		what:  "a book as m4b, over real time",
		group: bookRows, pkg: "backend/audiobook", name: "Book", unit: "x-real-time", shown: "×", goal: atLeast(200), runs: 1,
	},
	{
		what:  "the same, memory",
		group: bookRows, pkg: "backend/audiobook", name: "Book", unit: "MB", shown: "MB", goal: atMost(120), runs: 1,
	},
	{
		what:  "62,000 words in 24 chapters with the built-in voice, over the time of its passages alone",
		group: bookRows, pkg: "app", name: "BooksBuiltIn", unit: "ratio", goal: atMost(1.2), runs: 1,
	},
	{
		what:  "the same, processor time",
		group: bookRows, pkg: "app", name: "BooksBuiltIn", unit: "cpu-ratio", goal: atMost(1.2), runs: 1,
	},
	{
		what:  "memory beyond that with the book read: generating",
		group: bookRows, pkg: "app", name: "BooksBuiltIn", unit: "generate-MB", shown: "MB", goal: atMost(120), runs: 1,
	},
	{
		what:  "the same, exporting",
		group: bookRows, pkg: "app", name: "BooksBuiltIn", unit: "export-MB", shown: "MB", goal: atMost(120), runs: 1,
	},
	{
		what:  "files of the book while it is generated, over the finished WAV",
		group: bookRows, pkg: "app", name: "BooksBuiltIn", unit: "disk", goal: atMost(1.3), runs: 1,
	},
	{
		what:  "the same, exported",
		group: bookRows, pkg: "app", name: "BooksBuiltIn", unit: "export-disk", goal: atMost(1.3), runs: 1,
	},
	{
		what:  "from an edit of one word to a new m4b: passages",
		group: bookRows, pkg: "app", name: "BooksBuiltIn", unit: "edit-passages", goal: atMost(1), runs: 1,
	},
	{
		what:  "the same, until it can be encoded",
		group: bookRows, pkg: "app", name: "BooksBuiltIn", unit: "edit-extra-s", shown: "s", goal: atMost(10), runs: 1,
	},
	{
		what:  "a list of 200 books of 24 chapters, p95",
		group: bookRows, pkg: "app", name: "BookList", unit: "p95-ms", shown: "ms", goal: atMost(1000), runs: 1,
	},
	{
		what:  "a book of 2,000,000 characters opens",
		group: bookRows, pkg: "app", name: "BooksLongest", unit: "open-ms", shown: "ms", goal: atMost(1000), runs: 1, heavy: true,
	},
	{
		what:  "the same, memory: generating",
		group: bookRows, pkg: "app", name: "BooksLongest", unit: "generate-MB", shown: "MB", goal: atMost(120), runs: 1, heavy: true,
	},
	{
		what:  "the same, exporting",
		group: bookRows, pkg: "app", name: "BooksLongest", unit: "export-MB", shown: "MB", goal: atMost(120), runs: 1, heavy: true,
	},
	{
		what:  "its files while it is generated, over the finished WAV",
		group: bookRows, pkg: "app", name: "BooksLongest", unit: "disk", goal: atMost(1.3), runs: 1, heavy: true,
	},
	{
		what:  "the same, exported",
		group: bookRows, pkg: "app", name: "BooksLongest", unit: "export-disk", goal: atMost(1.3), runs: 1, heavy: true,
	},
	{
		what:  "forwarding a call over the direct call, p50",
		group: service, pkg: "backend/hosted/forward", name: "Forward/", unit: "us-added-p50", shown: "µs", goal: atMost(1000),
	},
	{
		what:  "reserve, write a second of audio, settle, over 5,000 accounts",
		group: service, pkg: "backend/service/sqlite", name: "Ledger", unit: "cycles/s", shown: "a second", goal: atLeast(1000),
	},
	{
		what:  "check of an API key",
		group: service, pkg: "backend/service/sqlite", name: "KeyCaller", unit: "us/check", shown: "µs", goal: atMost(50),
	},
	{
		what:  "a call in its lane",
		group: service, pkg: "backend/service/providers", name: "Lane", unit: "us/call", shown: "µs", goal: atMost(1000),
	},
	{
		what:  "an answer while a provider fails",
		group: service, pkg: "backend/service/providers", name: "OpenBreaker", unit: "us/answer", shown: "µs", goal: atMost(5000),
	},
	{
		what:  "requests that are no speech, 500 a second, p95",
		group: service, pkg: "backend/service/api", name: "ServiceRequests", unit: "p95-ms", shown: "ms", goal: atMost(5), runs: 3,
	},
	{
		what:  "memory after 100,000 requests over 10,000: heap",
		group: service, pkg: "backend/service/api", name: "ServiceMemory", unit: "heap-MB-more", shown: "MB", goal: atMost(1), runs: 1,
	},
	{
		what:  "the same, resident",
		group: service, pkg: "backend/service/api", name: "ServiceMemory", unit: "resident-MB-more", shown: "MB", goal: atMost(8), runs: 1,
	},
	{
		what:  "`serve` ready after its start",
		group: programs, pkg: programRows, name: "Program/ready", unit: "ms", shown: "ms", goal: atMost(50),
	},
	{
		what:  "the same on the first start, which makes the library",
		group: programs, pkg: programRows, name: "Program/first-start", unit: "ms", shown: "ms",
	},
	{
		what:  "memory of its own when idle, before the first model",
		group: programs, pkg: programRows, name: "Program/idle-own", unit: "MB", shown: "MB", goal: atMost(12),
	},
	{ // no goal: three quarters are pages of its file that the kernel has mapped unasked (docs/decisions/084-start-and-idle.md)
		what:  "the same with the pages of its file that are in memory",
		group: programs, pkg: programRows, name: "Program/idle", unit: "MB", shown: "MB",
	},
	{
		what:  "the program, stripped, without the window",
		group: programs, pkg: programRows, name: "Program/size", unit: "MB", shown: "MB", goal: atMost(48),
	},
	{
		what:  "the same with the window",
		group: programs, pkg: programRows, name: "Program/size-window", unit: "MB", shown: "MB", goal: atMost(52),
	},
	{
		what:  "package for Debian without the window (`make package`)",
		group: programs, pkg: programRows, name: "Program/deb", unit: "MB", shown: "MB", goal: atMost(25.3),
	},
	{
		what:  "package for Debian with the window",
		group: programs, pkg: programRows, name: "Program/deb-window", unit: "MB", shown: "MB", goal: atMost(16.7),
	},
	{
		what:  "archive for Linux",
		group: programs, pkg: programRows, name: "Program/archive", unit: "MB", shown: "MB", goal: atMost(34.6),
	},
	{
		what:  "installer for Windows",
		group: programs, pkg: programRows, name: "Program/installer", unit: "MB", shown: "MB", goal: atMost(25.6),
	},
}
