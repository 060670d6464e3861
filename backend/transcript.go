package backend

import "time"

// Transcript is the text of a recording with its times (decisions.md sections 2 and 7, transcription).
type Transcript struct {
	ID           string           `json:"id" doc:"UUID version 7"`
	Title        string           `json:"title"`
	Status       TranscriptStatus `json:"status" enum:"queued,downloading_model,loading_model,transcribing,complete,failed,cancelled"`
	Progress     float64          `json:"progress" doc:"0 to 1"`
	Error        *Failure         `json:"error"`
	Text         string           `json:"text" doc:"all segments, in paragraphs"`
	Language     string           `json:"language" doc:"BCP 47, as given or detected; empty until known"`
	Duration     float64          `json:"duration" doc:"seconds of audio"`
	Segments     []Segment        `json:"segments"`
	ModelName    string           `json:"model_name"`
	Source       TranscriptSource `json:"source" enum:"file,recording,generation"`
	FileName     string           `json:"file_name" doc:"of the uploaded file, without its folder"`
	GenerationID *string          `json:"generation_id" doc:"the generation that was transcribed"`
	AudioPath    string           `json:"audio_path" doc:"absolute path of the stored audio, empty if there is none"`
	CanUndo      bool             `json:"can_undo" doc:"there is an edit to undo"`
	// Warnings are about the last run; an edit keeps them.
	Warnings  []TranscriptWarning `json:"warnings" doc:"what a reader of the text should know, such as repeated text that was removed"`
	Waiting   bool                `json:"waiting" doc:"a cancelled run of the model must end before this one begins"`
	CreatedAt time.Time           `json:"created_at"`
	UpdatedAt time.Time           `json:"updated_at"`
	Request   TranscribeOptions   `json:"-"` // what a new run needs; it is stored and not shown

	FindingSpeakers *FindingSpeakers `json:"finding_speakers"` // while its speakers are found
	SpeakersError   *Failure         `json:"speakers_error"`   // why they were not
	Turns           []SpeakerTurn    `json:"turns"`            // of the speakers that were found
	Matches         []SpeakerMatch   `json:"-"`                // of these with known speakers; it is stored and not shown
	Speakers        []Speaker        `json:"speakers"`         // of the segments; set where it is shown, not stored
	Channels        *Channels        `json:"channels"`         // of a stereo source; nil for others, and where they were not heard
	ChannelTurns    [2][]int         `json:"-"`                // when each of them speaks, as transcribe/channels has it; stored and not shown
}

// Channels are those of a stereo source.
type Channels struct {
	Separate bool `json:"separate" doc:"each channel has one speaker"`
}

// Segment is a phrase of a transcript, usually a sentence or less.
type Segment struct {
	ID           int         `json:"id" doc:"unique in its transcript; kept by edits"`
	Start        float64     `json:"start" doc:"seconds"`
	End          float64     `json:"end" doc:"seconds"`
	Text         string      `json:"text" doc:"with the space that the model writes before it"`
	Words        []HeardWord `json:"words" doc:"empty where no times were requested, and after the text was edited"`
	NoSpeechProb float64     `json:"no_speech_prob" doc:"0 to 1: how likely the segment is no speech"`
	Speaker      string      `json:"speaker" doc:"who speaks, as found or as set by a person; else empty"`
	Paragraph    bool        `json:"paragraph" doc:"a new paragraph begins with it"`
	SpeakerFound bool        `json:"speaker_found" doc:"the speaker was found; false where a person set it"`
	CutFrom      int         `json:"cut_from" doc:"id of the segment that it was cut off, where the speaker changes; 0 for others"`
}

// SpeakerTurn is a stretch in which one speaker was heard; those of two speakers overlap where both speak.
type SpeakerTurn struct {
	Start   float64 `json:"start" doc:"seconds"`
	End     float64 `json:"end" doc:"seconds"`
	Speaker string  `json:"speaker" doc:"the name"`
}

// FindingSpeakers is how far the speakers of a transcript are found.
type FindingSpeakers struct {
	Status   Status  `json:"status" enum:"queued,downloading_model,loading_model,listening"`
	Progress float64 `json:"progress" doc:"0 to 1"`
}

// StatusListening is the state of FindingSpeakers while the sound is heard.
const StatusListening Status = "listening"

// Speaker is one of those who speak in a transcript.
type Speaker struct {
	Name       string             `json:"name"`
	Seconds    float64            `json:"seconds" doc:"how long the speaker speaks"`
	Lines      int                `json:"lines" doc:"segments"`
	Suggestion *SpeakerSuggestion `json:"suggestion" doc:"the known speaker who this may be, else null; set where it is shown"`
}

// HeardWord is a word of a transcript.
type HeardWord struct {
	Word        string  `json:"word"`
	Start       float64 `json:"start" doc:"seconds"`
	End         float64 `json:"end" doc:"seconds"`
	Probability float64 `json:"probability" doc:"0 to 1: how sure the model is"`
}

// TranscriptWarning is something about a part of a transcript that its text does not show.
type TranscriptWarning struct {
	Code   Code    `json:"code" enum:"repeated_text,speakers_uncounted,speakers_fewer"`
	Detail string  `json:"detail" doc:"one sentence"`
	Start  float64 `json:"start" doc:"seconds"`
	End    float64 `json:"end" doc:"seconds"`
}

// WarningRepeatedText is about text that the model repeated in a loop. All but its first occurrence was removed.
const WarningRepeatedText Code = "repeated_text"

// The warnings about the number of speakers that was asked for: the sound is too short for it, or has fewer voices.
const (
	WarningSpeakersUncounted Code = "speakers_uncounted"
	WarningSpeakersFewer     Code = "speakers_fewer"
)

// TranscribeOptions are the options of a transcription.
type TranscribeOptions struct {
	ModelName string `json:"model_name,omitempty"` // empty for the default
	Language  string `json:"language,omitempty"`   // BCP 47; empty or auto: detected
	Translate bool   `json:"translate,omitempty"`  // into English
	Words     bool   `json:"words,omitempty"`      // with times of words
	Prompt    string `json:"prompt,omitempty"`     // text that precedes the audio: names, spelling
	// VAD nil transcribes everything but silence and noise, true only what is detected as speech, false everything.
	VAD *bool `json:"vad,omitempty"`
	// Speakers nil finds the speakers where the model is downloaded.
	Speakers *SpeakerOptions `json:"speakers,omitempty"`
}

// SpeakerOptions say how many speakers are found.
type SpeakerOptions struct {
	Mode  SpeakerMode `json:"mode" enum:"auto,number,channels,off"`
	Count int         `json:"count,omitempty" doc:"1 to 100: exactly so many, with auto at most; absent with auto: 20"`
	Pace  SpeakerPace `json:"pace,omitempty" enum:"thorough,balanced,fast" doc:"absent: the setting transcribe.speakers_pace"`
}

// SpeakerMode is how the speakers of a transcript are found.
type SpeakerMode string

// SpeakerPace is how often the same sound is heard while speakers are found: the more often, the longer it takes.
type SpeakerPace string

// The modes, and the paces: a stretch of 10 s is heard every second, every 2.5 s or every 5 s.
const (
	SpeakersAuto     SpeakerMode = "auto"
	SpeakersNumber   SpeakerMode = "number"
	SpeakersChannels SpeakerMode = "channels" // the left channel is one, the right one another
	SpeakersOff      SpeakerMode = "off"

	PaceThorough SpeakerPace = "thorough"
	PaceBalanced SpeakerPace = "balanced"
	PaceFast     SpeakerPace = "fast"
)

// TranscriptSource is where the audio of a transcript came from.
type TranscriptSource string

// The sources of transcripts.
const (
	TranscriptOfFile       TranscriptSource = "file"
	TranscriptOfRecording  TranscriptSource = "recording"
	TranscriptOfGeneration TranscriptSource = "generation"
)

// TranscriptStatus is the state of a transcript. It moves as a generation does (docs/architecture.md), with
// transcribing in the place of generating.
type TranscriptStatus = Status

// StatusTranscribing is the state of a transcript whose audio is being transcribed.
const StatusTranscribing Status = "transcribing"

// TranscriptFilter selects transcripts; zero values select all.
type TranscriptFilter struct {
	Search string // words and prefixes in text, title and speakers; accents and case do not matter
	Status TranscriptStatus
	Brief  bool // without segments; Text may be cut after BriefText + 1 characters
	Page
}

// TranscriptPatch changes the given fields only.
type TranscriptPatch struct {
	Title    *string
	Segments []SegmentPatch
	Speakers []SpeakerPatch
}

// SpeakerPatch is a new name of a speaker, in all segments; that of another speaker makes both one.
type SpeakerPatch struct {
	Name    string `json:"name" minLength:"1"`
	NewName string `json:"new_name" minLength:"1" maxLength:"100"`
}

// SegmentPatch changes the given fields of the segment with this ID.
type SegmentPatch struct {
	ID      int
	Text    *string // empty: the segment is removed
	Speaker *string
}

// TranscriptFormats returns the formats in which a transcript is exported.
func TranscriptFormats() []string {
	return []string{FormatText, FormatSRT, FormatVTT, FormatJSON, FormatMarkdown, FormatDOCX, FormatRTTM}
}

// TranscriptHit is a transcript found by a search.
type TranscriptHit struct {
	Transcript
	Highlight string `json:"highlight,omitempty" doc:"the text around the hits, with <mark> around each"`
}
