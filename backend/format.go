package backend

// The formats of audio files, which are also their extensions.
const (
	FormatWAV  = "wav"
	FormatFLAC = "flac"
	FormatMP3  = "mp3"
	FormatOpus = "opus"
	FormatM4A  = "m4a"
)

// The formats of subtitles, which are also their extensions.
const (
	FormatSRT = "srt"
	FormatVTT = "vtt"
)

// The formats of texts, which are also their extensions.
const (
	FormatText     = "txt"
	FormatJSON     = "json"
	FormatMarkdown = "md"
	FormatRTTM     = "rttm"
	FormatDOCX     = "docx"
)

// AudioFormats returns the formats in which audio is stored and exported.
func AudioFormats() []string {
	return []string{FormatWAV, FormatFLAC, FormatMP3, FormatOpus, FormatM4A}
}

// ExportFormats returns the formats in which a generation is exported: audio, and its chunk times as subtitles.
func ExportFormats() []string { return append(AudioFormats(), FormatSRT, FormatVTT) }
