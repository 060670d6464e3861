package httpapi

import (
	"slices"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/speakers"
)

// liveSegments is the number of segments in a progress message: a reader that merges them by id misses none.
const liveSegments = 20

// TranscriptFields are the fields that are the same in a Transcript and a TranscriptRow; it is exported for huma.
type TranscriptFields struct {
	ID           string                   `json:"id" doc:"UUID version 7"`
	Title        string                   `json:"title"`
	Status       backend.TranscriptStatus `json:"status" enum:"queued,downloading_model,loading_model,transcribing,complete,failed,cancelled"`
	Progress     float64                  `json:"progress" doc:"0 to 1"`
	Error        *backend.Failure         `json:"error" doc:"why it failed; of a complete transcript why its last rerun failed"`
	Text         string                   `json:"text" doc:"all segments, in paragraphs"`
	Language     string                   `json:"language" doc:"BCP 47, as given or detected; empty until known"`
	Duration     float64                  `json:"duration" doc:"seconds of audio"`
	ModelName    string                   `json:"model_name"`
	Source       backend.TranscriptSource `json:"source" enum:"file,recording,generation"`
	FileName     string                   `json:"file_name" doc:"of the uploaded file, without its folder"`
	GenerationID *string                  `json:"generation_id" doc:"the generation that was transcribed"`
	AudioPath    string                   `json:"audio_path" doc:"absolute path of the stored audio, empty if there is none"`
	AudioURL     string                   `json:"audio_url" doc:"a path that works without a token for one hour; empty without audio"`
	CanUndo      bool                     `json:"can_undo" doc:"there is an edit or a rerun to undo"`
	Waiting      bool                     `json:"waiting" doc:"a cancelled run of the model must end before this one begins"`
	CreatedAt    time.Time                `json:"created_at"`
	UpdatedAt    time.Time                `json:"updated_at"`

	FindingSpeakers *backend.FindingSpeakers `json:"finding_speakers" doc:"how far its speakers are found; null while they are not being found"`
	SpeakersError   *backend.Failure         `json:"speakers_error" doc:"why its speakers were not found; the transcript is complete without them"`
	Channels        *backend.Channels        `json:"channels" doc:"of a stereo source; null for others, and for transcripts of older versions"`
}

// Transcript is a transcript as the API shows it by itself.
type Transcript struct {
	TranscriptFields
	Segments []Segment                   `json:"segments"`
	Warnings []backend.TranscriptWarning `json:"warnings" doc:"what a reader of the text should know, such as repeated text that was removed"`
	Prompt   string                      `json:"prompt,omitempty" doc:"the text that preceded the audio, as requested last"`
	Speakers []backend.Speaker           `json:"speakers" doc:"in the order of their first words"`
	Turns    []backend.SpeakerTurn       `json:"turns" doc:"when the speakers that were found speak, also two at once"`

	AudioMissing bool `json:"audio_missing,omitempty" doc:"true when the file of the audio is gone. Only in /transcriptions/{id}, not in lists"`
}

// TranscriptRow is a transcript in a list or a progress message: short, so that lists of long transcripts are small.
type TranscriptRow struct {
	TranscriptFields
	Segments []Segment `json:"segments" doc:"empty in lists unless full=true; in progress messages the newest 20"`

	TextTruncated bool   `json:"text_truncated,omitempty" doc:"true when text holds only the first 240 characters"`
	Highlight     string `json:"highlight,omitempty" doc:"the text around the hits of a search, with <mark> around each"`
}

// Segment is a phrase of a transcript as the API shows it.
type Segment struct {
	ID           int                 `json:"id" doc:"unique in its transcript; kept by edits"`
	Start        float64             `json:"start" doc:"seconds"`
	End          float64             `json:"end" doc:"seconds"`
	Text         string              `json:"text" doc:"with the space that the model writes before it"`
	Words        []backend.HeardWord `json:"words" doc:"empty where no times were requested, and after the text was edited"`
	NoSpeechProb float64             `json:"no_speech_prob" doc:"0 to 1: how likely the segment is no speech"`
	Speaker      string              `json:"speaker" doc:"who speaks, as found or as set by a person; else empty"`
	Paragraph    bool                `json:"paragraph" doc:"a new paragraph begins with it"`
	SpeakerFound bool                `json:"speaker_found" doc:"the speaker was found; false where a person set it"`
	CutFrom      int                 `json:"cut_from" doc:"id of the segment that it was cut off, where the speaker changes; 0 for others"`
}

// TranscriptView returns a transcript for the event streams: short while it is in progress, whole at its end.
func (l *Links) streamedTranscript(t backend.Transcript) any {
	row := l.transcriptRow(t, false)
	switch {
	case t.Status.Ended() && t.FindingSpeakers == nil:
		return l.transcript(t)
	case t.Status.Ended():
		return row // its segments are as they were until the speakers are found
	}
	row.Segments = segments(t.Segments[max(0, len(t.Segments)-liveSegments):])
	return row
}

func (l *Links) transcript(t backend.Transcript) Transcript {
	if t.Warnings == nil {
		t.Warnings = []backend.TranscriptWarning{}
	}
	if t.Turns == nil {
		t.Turns = []backend.SpeakerTurn{}
	}
	return Transcript{
		TranscriptFields: l.transcriptFields(t), Segments: segments(t.Segments), Warnings: t.Warnings, Prompt: t.Request.Prompt,
		Speakers: l.speakers(t), Turns: t.Turns,
	}
}

// speakers returns the speakers of a transcript, with the names of known ones who are not forgotten as suggestions.
func (l *Links) speakers(t backend.Transcript) []backend.Speaker {
	out := speakers.Shares(t.Segments)
	for _, m := range t.Matches {
		i := slices.IndexFunc(out, func(s backend.Speaker) bool { return s.Name == m.Speaker })
		if i < 0 || l.known == nil {
			continue
		}
		if name, ok := l.known(m.Known); ok {
			out[i].Suggestion = &backend.SpeakerSuggestion{ID: m.Known, Name: name, Cosine: m.Cosine}
		}
	}
	return out
}

// transcriptRow returns a transcript for a list, whole where full.
func (l *Links) transcriptRow(t backend.Transcript, full bool) TranscriptRow {
	row := TranscriptRow{TranscriptFields: l.transcriptFields(t), Segments: []Segment{}}
	if full {
		row.Segments = segments(t.Segments)
		return row
	}
	row.Text, row.TextTruncated = truncate(row.Text, backend.BriefText)
	return row
}

func (l *Links) transcriptFields(t backend.Transcript) TranscriptFields {
	f := TranscriptFields{
		ID: t.ID, Title: t.Title, Status: t.Status, Progress: t.Progress, Error: t.Error, Text: t.Text, Language: t.Language,
		Duration: t.Duration, ModelName: t.ModelName, Source: t.Source, FileName: t.FileName, GenerationID: t.GenerationID,
		AudioPath: t.AudioPath, CanUndo: t.CanUndo, Waiting: t.Waiting, CreatedAt: t.CreatedAt, UpdatedAt: t.UpdatedAt,
		FindingSpeakers: t.FindingSpeakers, SpeakersError: t.SpeakersError, Channels: t.Channels,
	}
	if t.AudioPath != "" {
		f.AudioURL = l.audioURL(t.ID)
	}
	return f
}

func segments(list []backend.Segment) []Segment {
	return mapAll(list, func(s backend.Segment) Segment {
		if s.Words == nil {
			s.Words = []backend.HeardWord{}
		}
		return Segment(s)
	})
}
