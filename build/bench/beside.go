package main

// besideOthers are the rows that compare with what others have written, on the same work and in turns.
var besideOthers = []row{
	{
		what:  "a long text with Piper beside piper-tts 1.8.0 on the same graph: speed",
		group: beside, pkg: "app", name: "PiperTTS", unit: "speed", goal: atLeast(1.1), peers: true, time: "1x",
	},
	{
		what:  "the same, processor time over its",
		group: beside, pkg: "app", name: "PiperTTS", unit: "cpu-ratio", peers: true, time: "1x",
	},
	{
		what:  "its time for a second of sound",
		group: beside, pkg: "app", name: "PiperTTS", unit: "theirs-rtf", peers: true, time: "1x",
	},
	{
		what:  "the program's time for a second of sound",
		group: beside, pkg: "app", name: "PiperTTS", unit: "ours-rtf", peers: true, time: "1x",
	},
	{
		what:  "the same, processor time",
		group: beside, pkg: "app", name: "PiperTTS", unit: "ours-cpu-rtf", peers: true, time: "1x",
	},
	{
		what:  "speakers of two minutes beside sherpa-onnx 2.0.1 with the same networks: speed",
		group: beside, pkg: "engines/diarize", name: "SpeakersSherpa", unit: "speed", goal: atLeast(1), peers: true, time: "1x",
	},
	{
		what:  "the same, processor time over its",
		group: beside, pkg: "engines/diarize", name: "SpeakersSherpa", unit: "cpu-ratio", peers: true, time: "1x",
	},
	{
		what:  "its time for a second of sound",
		group: beside, pkg: "engines/diarize", name: "SpeakersSherpa", unit: "theirs-rtf", peers: true, time: "1x",
	},
	{
		what:  "speech in five minutes beside sherpa-onnx 2.0.1 with the same network: processor time over its",
		group: beside, pkg: "engines/vad", name: "VADSherpa", unit: "cpu-ratio", goal: atMost(1), peers: true, time: "1x",
	},
	{
		what:  "the speech found over what it finds",
		group: beside, pkg: "engines/vad", name: "VADSherpa", unit: "found", peers: true, time: "1x",
	},
	{
		what:  "a download of 512 MB beside huggingface_hub 2.4.0, both with SHA-256: time over its",
		group: beside, pkg: "backend/hub", name: "HuggingFace", unit: "ratio", goal: atMost(1), peers: true, time: "1x",
	},
	{
		what:  "the same over its download without a hash",
		group: beside, pkg: "backend/hub", name: "HuggingFace", unit: "ratio-unchecked", peers: true, time: "1x",
	},
	{
		what:  "its memory, of Python with the library",
		group: beside, pkg: "backend/hub", name: "HuggingFace", unit: "theirs-MB", shown: "MB", peers: true, time: "1x",
	},
	{
		what:  "transcription over whisper-cli 1.9.1: same library, model, file and threads, equal text; time",
		group: beside, pkg: "engines/whisper", name: "WhisperCLI", unit: "ratio", goal: atMost(1.03), time: "1x",
	},
	{
		what:  "the same, processor time",
		group: beside, pkg: "engines/whisper", name: "WhisperCLI", unit: "cpu-ratio", goal: atMost(1.03), time: "1x",
	},
	{
		what:  "the same with a thread a core, beside twice as many other programs that keep the cores busy; time",
		group: beside, pkg: "engines/whisper", name: "WhisperBesideWork", unit: "ratio", goal: atMost(1.03), time: "3x",
	},
	{
		what:  "its time there over that on idle cores (3 is its share)",
		group: beside, pkg: "engines/whisper", name: "WhisperBesideWork", unit: "slowdown", goal: atMost(3.5), time: "3x",
	},
	{
		what:  "a download over curl on the loopback, with SHA-256, on the disk",
		group: beside, pkg: "backend/hub", name: "Download/disk", unit: "ours/curl", goal: atMost(1.05),
	},
	{
		what:  "the same in memory",
		group: beside, pkg: "backend/hub", name: "Download/memory", unit: "ours/curl", goal: atMost(1.05),
	},
	{
		what:  "espeak-ng over the bare command, for a call",
		group: beside, pkg: "engines/espeak", name: "Speak-Command", unit: "ms/op", shown: "ms", goal: atMost(30),
	},
}
