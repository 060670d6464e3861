package transcribe_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/transcribe"
	"github.com/voicewright/voicewright/backend/transcribe/finder"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// recorded returns the request to transcribe a recording with any number of channels.
func (l *lab) recorded(b audio.Buffer) transcribe.Request {
	path := filepath.Join(l.t.TempDir(), "talk.wav")
	data := audio.PCM16(audio.WAVHeader(b.Rate, b.Channels, uint32(2*len(b.Samples))), b.Samples)
	require.NoError(l.t, os.WriteFile(path, data, 0o600))
	return l.file(path)
}

// interviewed returns a lab whose model hears words in the turns of enginetest.Interview, and whose model for speakers is missing.
func interviewed(t *testing.T) (*lab, *ear) {
	e := &ear{}
	l := newLab(t, func(l *lab) { l.options.Diarizers = e })
	l.model.then(talks("How are you? Are you well? I am fine", "today, thank you. Was it nice there?", "Yes it was nice."))
	return l, e
}

var byChannels = finder.Request{SpeakerOptions: backend.SpeakerOptions{Mode: backend.SpeakersChannels}}

func TestEachChannelHasASpeaker(t *testing.T) {
	l, e := interviewed(t)
	got, err := l.service.Transcribe(t.Context(), l.recorded(enginetest.Interview(0.1, 0.002)))
	require.NoError(t, err)
	require.Equal(t, &backend.Channels{Separate: true}, got.Channels)
	require.True(t, l.model.given[0].Words, "so that the channels can be used later")
	require.Empty(t, got.Turns)
	plain := spoken(got)

	l.close() // what was heard of the channels is stored
	l.open()
	got, err = l.service.Speakers.Find(t.Context(), got.ID, byChannels)
	require.NoError(t, err)
	require.Nil(t, got.SpeakersError)
	require.Nil(t, got.FindingSpeakers)
	lines := spoken(got)
	require.Equal(t, "Speaker 1: How are you? Are you well?", lines[0])
	require.Equal(t, "Speaker 2: I am fine", lines[1])
	left, right := enginetest.InterviewTurns()
	require.Len(t, got.Turns, len(left)+len(right))
	require.Zero(t, e.fetched, "without the model")

	got, err = l.service.Edit(t.Context(), got.ID, backend.TranscriptPatch{Speakers: []backend.SpeakerPatch{{Name: "Speaker 2", NewName: "Ben"}}})
	require.NoError(t, err)
	require.Equal(t, "Ben: I am fine", spoken(got)[1])
	got, err = l.service.Speakers.Find(t.Context(), got.ID, byChannels)
	require.NoError(t, err)
	require.Equal(t, "Ben: I am fine", spoken(got)[1], "a name that a person gave stays")
	got, err = l.service.Rerun(t.Context(), got.ID, transcribe.RerunRequest{})
	require.NoError(t, err)
	require.Equal(t, "Ben: I am fine", spoken(got)[1])
	require.Equal(t, &backend.Channels{Separate: true}, got.Channels, "though the stored audio is mono")

	for range 4 { // transcribed again, found twice, named
		got, err = l.service.Undo(t.Context(), got.ID)
		require.NoError(t, err)
	}
	require.Equal(t, plain, spoken(got))
	require.NotNil(t, got.Channels)
}

func TestChannelsOfARequest(t *testing.T) {
	l, e := interviewed(t)
	r := l.recorded(enginetest.Interview(0, 0))
	r.Speakers = &backend.SpeakerOptions{Mode: backend.SpeakersChannels}
	got, err := l.service.Transcribe(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, "Speaker 1: How are you? Are you well?", spoken(got)[0])
	require.Equal(t, "Speaker 2: I am fine", spoken(got)[1])
	require.False(t, got.CanUndo, "they belong to the transcription")

	r = l.wav(sound(time.Second))
	r.Speakers = &backend.SpeakerOptions{Mode: backend.SpeakersChannels}
	got, err = l.service.Transcribe(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, backend.StatusComplete, got.Status)
	require.Equal(t, backend.CodeUnsupportedMedia, got.SpeakersError.Code)
	require.NotEmpty(t, got.SpeakersError.Remedy)
	require.Empty(t, got.Turns)
	require.Zero(t, e.fetched)

	var invalid *backend.ValidationError
	_, err = l.service.SubmitRerun(t.Context(), got.ID, transcribe.RerunRequest{Speakers: &byChannels.SpeakerOptions})
	require.ErrorAs(t, err, &invalid)
}

// Who is told that a transcript is complete can name its speakers at once, as the command does.
func TestNamesRightAfterTheEnd(t *testing.T) {
	l, _ := interviewed(t)
	var named []error
	notify := l.options.Notify
	l.close()
	l.options.Notify = func(now backend.Transcript) {
		if notify(now); now.Status == backend.StatusComplete && named == nil {
			named = []error{nil}
			_, named[0] = l.service.Edit(t.Context(), now.ID, backend.TranscriptPatch{
				Speakers: []backend.SpeakerPatch{{Name: "Speaker 1", NewName: "Anna"}},
			})
		}
	}
	l.open()
	r := l.recorded(enginetest.Interview(0, 0))
	r.Speakers = &backend.SpeakerOptions{Mode: backend.SpeakersChannels}
	got, err := l.service.Transcribe(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, []error{nil}, named)
	got, err = l.service.Transcript(t.Context(), got.ID)
	require.NoError(t, err)
	require.Equal(t, "Anna: How are you? Are you well?", spoken(got)[0])
}

// Recordings whose channels have no speaker each.
func TestOtherChannels(t *testing.T) {
	l, _ := interviewed(t)
	left, right := enginetest.InterviewTurns()
	a, b := enginetest.Voice(12, 110, left...), enginetest.Voice(12, 190, right...)
	both, silent := make([]float32, len(a)), make([]float32, len(a))
	for i := range a {
		both[i] = a[i] + b[i]
	}
	for name, c := range map[string]struct {
		recording audio.Buffer
		want      *backend.Channels
	}{
		"mono":         {enginetest.Interleave(both), nil},
		"dual mono":    {enginetest.Interleave(both, both), &backend.Channels{}},
		"one silent":   {enginetest.Interleave(both, silent), &backend.Channels{}},
		"both silent":  {enginetest.Interleave(silent, silent), &backend.Channels{}},
		"5.1 surround": {enginetest.Interleave(a, b, both, silent, silent, silent), nil},
	} {
		got, err := l.service.Transcribe(t.Context(), l.recorded(c.recording))
		require.NoError(t, err, name)
		require.Equal(t, c.want, got.Channels, name)
		var invalid *backend.ValidationError
		_, err = l.service.Speakers.Find(t.Context(), got.ID, byChannels)
		require.ErrorAs(t, err, &invalid, name)
		require.Equal(t, []string{"body", "mode"}, invalid.Fields[0].Loc)
		after, err := l.service.Transcript(t.Context(), got.ID)
		require.NoError(t, err)
		require.Equal(t, got, after, "nothing changed")
	}
}

// A file that was stored as it is, because the program ended before it was read, is heard by the run that repeats it.
func TestChannelsOfAnInterruptedRun(t *testing.T) {
	l, _ := interviewed(t)
	r := l.recorded(enginetest.Interview(0.1, 0.002))
	r.Speakers = &backend.SpeakerOptions{Mode: backend.SpeakersChannels}
	began := make(chan struct{})
	l.codecs.stream = func(ctx context.Context, _ func([]float32) error) error {
		close(began)
		<-ctx.Done()
		return backend.ErrCancelled.WithCause(ctx.Err())
	}
	got, err := l.service.Submit(t.Context(), r)
	require.NoError(t, err)
	<-began
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	require.NoError(t, l.service.Close(ended))
	l.codecs.stream = nil
	l.open()
	got, err = l.service.Transcript(t.Context(), got.ID)
	require.NoError(t, err)
	require.Equal(t, backend.StatusFailed, got.Status)
	require.Nil(t, got.Channels)
	got, err = l.service.Rerun(t.Context(), got.ID, transcribe.RerunRequest{})
	require.NoError(t, err)
	require.Equal(t, &backend.Channels{Separate: true}, got.Channels)
	require.Equal(t, "Speaker 2: I am fine", spoken(got)[1])
}
