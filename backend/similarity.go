package backend

// Similarity is how a cloned voice compares with its samples: what a transcription model understood of it, and its level, pace
// and pitch beside theirs. A nil value is unknown.
type Similarity struct {
	Text                 string          `json:"text" doc:"what was spoken"`
	Heard                string          `json:"heard"`
	WER                  float64         `json:"wer" doc:"word error rate, 0 is best"`
	ModelName            string          `json:"model_name" doc:"the transcription model"`
	LevelLUFS            *float64        `json:"level_lufs" doc:"before it is levelled"`
	SampleLevelLUFS      *float64        `json:"sample_level_lufs"`
	WordsPerMinute       *float64        `json:"words_per_minute"`
	SampleWordsPerMinute *float64        `json:"sample_words_per_minute" doc:"of samples with a transcript"`
	PitchHz              *float64        `json:"pitch_hz"`
	SamplePitchHz        *float64        `json:"sample_pitch_hz"`
	Cosine               *float64        `json:"cosine" doc:"of voice and samples, -1 to 1; null without a model that finds speakers"`
	Warnings             []SampleWarning `json:"warnings"`
}

// The issues of a cloned voice.
const (
	CloneNotUnderstood SampleIssue = "not_understood" // words are missing or wrong
	ClonePitchDiffers  SampleIssue = "pitch"          // much higher or lower than the samples
	CloneOtherPerson   SampleIssue = "voice"          // sounds like another person than the samples
	ClonePaceDiffers   SampleIssue = "pace"           // much faster or slower than the samples
)

// VoiceCheck is how well the voice prints of a model tell the people of a user's recordings apart.
type VoiceCheck struct {
	ModelName        string        `json:"model_name"`
	People           int           `json:"people"`
	Recordings       int           `json:"recordings" doc:"that were compared"`
	Skipped          []string      `json:"skipped" doc:"files without audio or without a voice"`
	Same             CosineFigures `json:"same" doc:"of pairs of recordings of one person"`
	Different        CosineFigures `json:"different" doc:"of pairs of recordings of two people"`
	EqualErrorRate   float64       `json:"equal_error_rate" doc:"0 is best: at equal_error_cosine as many pairs of one person are taken for two as of two for one"`
	EqualErrorCosine float64       `json:"equal_error_cosine"`
	Limit            float64       `json:"limit" doc:"below it this program takes two recordings for those of two people"`
	SameBelow        int           `json:"same_below" doc:"pairs of one person below the limit"`
	DifferentAbove   int           `json:"different_above" doc:"pairs of two people at the limit or above it"`
}

// CosineFigures are what the cosines of pairs of voice prints are like.
type CosineFigures struct {
	Pairs int     `json:"pairs"`
	Mean  float64 `json:"mean"`
	Min   float64 `json:"min"`
	Max   float64 `json:"max"`
}

// SpeakerMatch is a speaker of a transcript who sounds like a known one.
type SpeakerMatch struct {
	Speaker string  `json:"speaker"` // the name there
	Known   string  `json:"known"`   // the id of the known speaker, who may be forgotten
	Cosine  float64 `json:"cosine"`
}

// SpeakerSuggestion is a known speaker whose name is offered for a speaker of a transcript.
type SpeakerSuggestion struct {
	ID     string  `json:"id"`
	Name   string  `json:"name"`
	Cosine float64 `json:"cosine" doc:"how alike the voices are: 0.5 to 1"`
}
