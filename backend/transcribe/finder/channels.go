package finder

import (
	"cmp"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/speakers"
	"github.com/voicewright/voicewright/backend/transcribe/internal/channels"
)

// CheckChannels returns a ValidationError unless it is known who speaks on which channel. loc is the place of the mode in the request.
func CheckChannels(t backend.Transcript, loc ...string) error {
	if len(channelTurns(t)) > 0 {
		return nil
	}
	return backend.Invalid("value_error", noChannels(t)+" "+remedyChannels, loc...)
}

// SetChannels makes the channels the speakers of a transcript, where it is known who speaks on which; else speakers_error says why not.
func SetChannels(t *backend.Transcript) {
	turns := channelTurns(*t)
	if len(turns) == 0 {
		t.SpeakersError = backend.E(backend.CodeUnsupportedMedia, noChannels(*t), remedyChannels).With("reason", "channels").Failure()
		return
	}
	r := speakers.Assign(t.Segments, turns)
	setSpeakers(t, r.Segments, r.Turns)
	t.Matches = nil // no voice was heard
}

const remedyChannels = "Find the speakers by their voices, or transcribe a stereo recording with one speaker on each channel."

func noChannels(t backend.Transcript) string {
	if t.Channels == nil {
		return "It is not known who speaks on which channel: the recording has one channel, or was transcribed by an older version."
	}
	return "Both channels of the recording have the same speakers."
}

func channelTurns(t backend.Transcript) []speakers.Turn {
	var out []speakers.Turn
	for speaker, turns := range t.ChannelTurns {
		for start, end := range channels.Times(turns) {
			if start < t.Duration { // the time of an older version was not exact
				out = append(out, speakers.Turn{Start: start, End: min(end, t.Duration), Speaker: speaker})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b speakers.Turn) int { return cmp.Compare(a.Start, b.Start) })
	return out
}
