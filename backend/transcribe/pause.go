package transcribe

import (
	"math"

	"github.com/voicewright/voicewright/backend/transcribe/internal/silence"
	"github.com/voicewright/voicewright/engines"
)

const (
	minPause    = engines.TranscriberRate / 5 // the shortest pause that is preferred to the quietest place
	quietLength = engines.TranscriberRate / 5
	quietStep   = engines.TranscriberRate / 50
)

// cutPoint returns where long audio is best cut: samples are the part of it in which the cut may be, and speech the stretches
// of speech that were detected in that part. It is the middle of the longest pause, the later one of equal pauses; without a
// pause the quietest place. It is never 0, unless there are no samples.
func cutPoint(samples []float32, speech []engines.Span) int {
	at, longest := 0, minPause
	pause := func(from, to int) {
		if to-from >= longest {
			at, longest = (from+to)/2, to-from
		}
	}
	end := 0
	for _, s := range speech {
		pause(end, s.Start)
		end = s.End
	}
	if len(speech) > 0 {
		pause(end, len(samples))
	}
	if at > 0 {
		return at
	}
	return quietest(samples)
}

// quietest returns the middle of the quietest 200 ms, the last ones of equal places; the end of audio that is shorter.
func quietest(samples []float32) int {
	at, lowest := len(samples), math.Inf(1)
	for from := 0; from+quietLength <= len(samples); from += quietStep {
		if p := silence.Power(samples[from : from+quietLength]); p <= lowest {
			at, lowest = from+quietLength/2, p
		}
	}
	return at
}
