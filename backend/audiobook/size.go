package audiobook

import (
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// EstimateBytes returns about how large the audio of a number of seconds becomes in a format, with a bit rate in kbit/s, 0 for the
// usual one, as one channel at rate Hz. Speech with long pauses takes less.
func EstimateBytes(format string, seconds float64, rate, bitRate int) int64 {
	pcm := seconds * float64(rate) * 2
	switch format {
	case backend.FormatWAV:
		return int64(pcm)
	case backend.FormatFLAC:
		return int64(pcm / 2)
	}
	if bitRate == 0 {
		bitRate = map[string]int{
			audio.FormatM4B: audio.M4BBitRate, backend.FormatM4A: 96, backend.FormatMP3: 64, backend.FormatOpus: 64,
		}[format]
	}
	const aacFrame, entry = 1024, 6 // samples of a frame, and bytes of it in the index
	bytes := seconds * float64(bitRate) * 125
	if format == audio.FormatM4B || format == backend.FormatM4A {
		bytes += seconds * float64(rate) / aacFrame * entry
	}
	return int64(bytes)
}

// Bytes returns about how large the files of the book become in a format, with their cover.
func (l Layout) Bytes(format string, bitRate int) int64 {
	return EstimateBytes(format, l.Seconds(), l.rate, min(bitRate, MaxBitRate)) + int64(len(l.book.Cover))
}
