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
