package httpapi_test

import (
	"math"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines/diarize/diarizetest"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// interviewTurns are those of enginetest.Interview: A is on the left channel, B on the right one.
func interviewTurns() []diarizetest.Turn {
	var out []diarizetest.Turn
	left, right := enginetest.InterviewTurns()
	for i := range left {
		out = append(out, diarizetest.Turn{Start: left[i].From, End: left[i].To, Speaker: "A"},
			diarizetest.Turn{Start: right[i].From, End: right[i].To, Speaker: "B"})
	}
	return out
}

// Recordings of all kinds: whether each channel has a speaker, and what the mode channels makes of it.
func TestChannelsOfRecordings(t *testing.T) {
	t.Parallel()
	ears := newEars(t)
	ears.missing.Store(true)
	s := newStudio(t, studioOptions{heard: hearsTurns(interviewTurns()), speakers: ears})
	left, right := enginetest.InterviewTurns()
	a, b := enginetest.Voice(12, 110, left...), enginetest.Voice(12, 190, right...)
	piano, violin := enginetest.Voice(12, 330, enginetest.Turn{From: 0, To: 12}), enginetest.Voice(12, 277, enginetest.Turn{From: 0, To: 12})
	both, silent, wide := make([]float32, len(a)), make([]float32, len(a)), make([]float32, len(a))
	for i := range a {
		both[i] = a[i] + b[i]
		wide[i] = 0.7*both[i] + 0.1*float32(math.Sin(float64(i)/20))
		piano[i], violin[i] = piano[i]+0.4*violin[i], violin[i]+0.4*piano[i]
	}
	separate, other := map[string]any{"separate": true}, map[string]any{"separate": false}
	for name, c := range map[string]struct {
		recording audio.Buffer
		want      any
	}{
		"interview":             {enginetest.Interview(0, 0), separate},
		"interview with noise":  {enginetest.Interview(0, 0.005), separate},
		"interview with bleed":  {enginetest.Interview(0.1, 0), separate},
		"interview, as in life": {enginetest.Interview(0.1, 0.003), separate},
		"music":                 {enginetest.Interleave(piano, violin), other},
		"stereo":                {enginetest.Interleave(both, wide), other},
		"the same twice":        {enginetest.Interleave(both, both), other},
		"one silent":            {enginetest.Interleave(both, silent), other},
		"mono":                  {enginetest.Interleave(both), nil},
		"5.1":                   {enginetest.Interleave(a, b, both, silent, silent, silent), nil},
	} {
		t.Run(name, func(t *testing.T) {
			got := s.upload(nil, part{"file", "talk.wav", wavOf(c.recording)}).object(t)
			require.Equal(t, "complete", got["status"], "%v", got)
			require.Equal(t, c.want, got["channels"])
			require.Empty(t, got["speakers"], "only offered")
			path := "/transcriptions/" + got["id"].(string)
			answer := s.do("POST", path+"/speakers", `{"mode":"channels"}`)
			asked := s.upload(nil, part{"file", "talk.wav", wavOf(c.recording)}, part{"speakers", "", "channels"}).object(t)
			if !separateIn(c.want) {
				require.Equal(t, http.StatusUnprocessableEntity, answer.StatusCode, answer.body)
				require.Contains(t, answer.body, `"mode"`)
				require.Equal(t, "complete", asked["status"])
				require.Equal(t, "unsupported_media", asked["speakers_error"].(map[string]any)["code"])
				require.NotEmpty(t, asked["speakers_error"].(map[string]any)["remedy"])
				return
			}
			require.Equal(t, http.StatusOK, answer.StatusCode, answer.body)
			for _, transcript := range []object{answer.object(t), asked} {
				require.Nil(t, transcript["speakers_error"])
				speakers, lines := texts(t, transcript)
				require.Equal(t, []string{"Speaker 1", "Speaker 2"}, speakers[:2])
				require.Equal(t, []string{"A A A A A", "B B B B B B"}, lines[:2])
				rttm := s.do("GET", "/transcriptions/"+transcript["id"].(string)+"/export?format=rttm", "").body
				errors := diarizetest.Score(interviewTurns(), diarizetest.RTTM(t, rttm))
				require.Less(t, errors.Rate(), 0.12, errors) // the turns of the truth end with pauses
			}
			require.Equal(t, true, answer.object(t)["can_undo"])
			require.Empty(t, s.do("POST", path+"/undo", "").object(t)["speakers"])
		})
	}
	list := s.do("GET", "/transcriptions", "").object(t)["items"].([]any)
	require.Contains(t, list[0], "channels")
}

func separateIn(channels any) bool {
	of, ok := channels.(map[string]any)
	return ok && of["separate"] == true
}
