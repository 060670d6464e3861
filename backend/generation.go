package backend

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// Status is the state of a generation.
type Status string

// The states of a generation (docs/architecture.md).
const (
	StatusQueued      Status = "queued"
	StatusDownloading Status = "downloading_model"
	StatusLoading     Status = "loading_model"
	StatusGenerating  Status = "generating"
	StatusComplete    Status = "complete"
	StatusFailed      Status = "failed"
	StatusCancelled   Status = "cancelled"
)

// moves is the one-way table of generations and transcripts. Only `retry` leads back, from failed or cancelled to queued.
var moves = map[Status][]Status{
	StatusQueued:       {StatusDownloading, StatusLoading, StatusGenerating, StatusTranscribing, StatusFailed, StatusCancelled},
	StatusDownloading:  {StatusLoading, StatusGenerating, StatusTranscribing, StatusFailed, StatusCancelled},
	StatusLoading:      {StatusGenerating, StatusTranscribing, StatusFailed, StatusCancelled},
	StatusGenerating:   {StatusComplete, StatusFailed, StatusCancelled},
	StatusTranscribing: {StatusComplete, StatusFailed, StatusCancelled},
	StatusComplete:     {},
	StatusFailed:       {StatusQueued},
	StatusCancelled:    {StatusQueued},
}

// CanMove reports whether the table allows the step from s to next.
func (s Status) CanMove(next Status) bool { return slices.Contains(moves[s], next) }

// Ended reports whether the generation is finished: complete, failed or cancelled.
func (s Status) Ended() bool {
	return s == StatusComplete || s == StatusFailed || s == StatusCancelled
}

// Statuses returns all states of a generation, in the order of the state machine.
func Statuses() []Status {
	return []Status{
		StatusQueued, StatusDownloading, StatusLoading, StatusGenerating,
		StatusComplete, StatusFailed, StatusCancelled,
	}
}

// Source is where the audio was generated.
type Source string

// The sources of a generation.
const (
	SourceLocal  Source = "local"
	SourceHosted Source = "hosted"
)

// Failure is an error as it is stored and shown, such as why a generation failed.
type Failure struct {
	Code   Code           `json:"code"`
	Detail string         `json:"detail"`
	Remedy string         `json:"remedy"`
	Params map[string]any `json:"params,omitempty"`
}

// FailureOf returns an error as it is stored and shown, nil for none.
func FailureOf(err error) *Failure {
	if e := AsError(err); e != nil {
		return e.Failure()
	}
	return nil
}

// Err returns the error that a failure was, without its cause.
func (f *Failure) Err() *Error {
	return &Error{Code: f.Code, Detail: f.Detail, Remedy: f.Remedy, Params: f.Params}
}

// Failure returns an error as it is stored.
func (e *Error) Failure() *Failure {
	return &Failure{Code: e.Code, Detail: e.Detail, Remedy: e.Remedy, Params: e.Params}
}

// Chunk is a piece of the text that is generated separately.
type Chunk struct {
	Text  string  `json:"text"`
	Start float64 `json:"start" doc:"seconds from the start of the audio"`
	End   float64 `json:"end" doc:"seconds from the start of the audio"`
	Take  int     `json:"take" doc:"the chosen take, from 0"`
	Takes int     `json:"takes" doc:"number of takes"`
	Words []Word  `json:"words,omitempty" doc:"times of the words, where the model supports them"`

	Verify *ChunkVerification `json:"verify,omitempty" doc:"how well a transcription model understood it; absent until it was heard"`
}

// Word is a word of the text with its time in the audio.
type Word struct {
	Text  string  `json:"word"`
	Start float64 `json:"start" doc:"seconds from the start of the audio"`
	End   float64 `json:"end" doc:"seconds from the start of the audio"`
}

// ReceiptTake is how a take of a chunk was generated.
type ReceiptTake struct {
	Spoken     string            `json:"spoken" doc:"the text passed to the engine"`
	Seed       int64             `json:"seed"`
	GainDB     *float64          `json:"gain_db,omitempty" doc:"its level, where it differs from the file's"`
	Sample     string            `json:"sample,omitempty" doc:"identifies the samples that its voice was cloned from; absent for other voices, and where unknown"`
	From       string            `json:"from,omitempty" doc:"the generation that its sound was copied from; absent where it was spoken"`
	Pronounced map[string]string `json:"pronunciations,omitempty"`
	Dropped    []string          `json:"dropped_tags,omitempty"`

	Verify *ChunkVerification `json:"verify,omitempty" doc:"how well a transcription model understood the take"`
}

// ReceiptChunk is a chunk with the chosen take.
type ReceiptChunk struct {
	Text    string `json:"text" doc:"the chunk as written"`
	PauseMS int64  `json:"pause_ms" doc:"silence before the chunk, by the markup or the structure of the text"`
	Break   string `json:"break,omitempty" enum:"pause,sentence,paragraph,heading,scene" doc:"what precedes the chunk: pause for markup; absent within a sentence, and in generations whose pauses did not follow the structure"`
	ReceiptTake
	Takes []ReceiptTake `json:"takes,omitempty" doc:"all takes, if there are several"`
}

// AllTakes returns all takes of a chunk.
func (c ReceiptChunk) AllTakes() []ReceiptTake {
	if len(c.Takes) == 0 {
		return []ReceiptTake{c.ReceiptTake}
	}
	return slices.Clone(c.Takes)
}

// FileHash names a file of a model by content.
type FileHash struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
}

// Receipt records how the audio was generated (decisions.md section 5). The same receipt on the same
// machine on the CPU returns the same bytes where Reproducible is true.
type Receipt struct {
	AppVersion    string             `json:"app_version"`
	Engine        string             `json:"engine"`
	ModelName     string             `json:"model_name"`
	ModelRevision string             `json:"model_revision"`
	ModelFiles    []FileHash         `json:"model_files"`
	Voice         string             `json:"voice"`
	Language      string             `json:"language"`
	LanguageNote  string             `json:"language_note,omitempty" doc:"what the model does badly in this language"`
	Seed          int64              `json:"seed"`
	Speed         float64            `json:"speed"`
	Parameters    map[string]any     `json:"parameters"`
	SpokenText    string             `json:"spoken_text"`
	Pronounced    map[string]string  `json:"pronunciations" doc:"pronunciations that were used, of the dictionary or the request"`
	Chunks        []ReceiptChunk     `json:"chunks"`
	Device        string             `json:"device"`
	Threads       int                `json:"threads" doc:"of each run of the model"`
	Workers       int                `json:"workers" doc:"sentences generated in parallel; 0 where unknown"`
	Runtimes      map[string]string  `json:"runtimes" doc:"name to version"`
	GainDB        float64            `json:"gain_db" doc:"before the limiter"`
	Level         *ReceiptLevel      `json:"level,omitempty" doc:"how the loudness was reached; absent with one gain only, or none"`
	AudioSHA256   string             `json:"audio_sha256"`
	Seconds       map[string]float64 `json:"seconds" doc:"wall seconds per stage"`
	DroppedTags   []string           `json:"dropped_tags" doc:"tags and characters that the engine does not support"`
	Shortened     []string           `json:"shortened_pauses,omitempty" doc:"pauses longer than 60 s, which were shortened"`
	Reproducible  bool               `json:"reproducible"`
	Hosted        *HostedReceipt     `json:"hosted,omitempty" doc:"of the hosted service; absent for local voices"`
	Verify        *Verification      `json:"verify,omitempty" doc:"how well a transcription model understood the audio, when it was last heard"`
}

// ReceiptLevel is the loudness after gain and limiter.
type ReceiptLevel struct {
	Version     int      `json:"version" doc:"of the levelling method: the same version gives the same samples"`
	LUFS        *float64 `json:"lufs" doc:"integrated loudness of the result; null if too quiet to measure"`
	ReductionDB float64  `json:"reduction_db" doc:"greatest reduction by the limiter"`
	ShortfallLU float64  `json:"shortfall_lu" doc:"how far the loudness is below -16 LUFS, because the peaks would need more than 9 dB of reduction"`
}

// VoiceLevel is the last measured level of a voice, for audio that is played before it can be measured itself.
type VoiceLevel struct {
	GainDB float64 // that brings the voice to the target loudness
	PeakDB float64 // true peak before the gain
}

// Sum fills in what follows from the chosen takes: spoken text, pronunciations and dropped tags.
func (r *Receipt) Sum() {
	var spoken []string
	r.Pronounced, r.DroppedTags = map[string]string{}, []string{}
	for _, c := range r.Chunks {
		spoken = append(spoken, c.Spoken)
		maps.Copy(r.Pronounced, c.Pronounced)
		for _, tag := range c.Dropped {
			if !slices.Contains(r.DroppedTags, tag) {
				r.DroppedTags = append(r.DroppedTags, tag)
			}
		}
	}
	r.SpokenText = strings.Join(spoken, " ")
}

// Revised returns the receipt of a changed text, without its chunks: it has parts of more than one run, which no single run would
// return byte by byte. pauseEndMS is the silence after the last chunk.
func (r Receipt) Revised(pauseEndMS int64, shortened []string) *Receipt {
	r.Parameters = maps.Clone(r.Parameters)
	if r.Parameters == nil {
		r.Parameters = map[string]any{}
	}
	r.Parameters["pause_end_ms"] = pauseEndMS
	r.Shortened, r.Reproducible, r.Chunks = shortened, false, nil
	if r.Level != nil {
		r.Level = new(*r.Level)
	}
	if r.Verify != nil {
		r.Verify = new(*r.Verify)
	}
	return &r
}

// Generation is a text with its audio, an entry of the history (model-server.md, Generation; decisions.md section 2).
type Generation struct {
	ID           string    `json:"id" doc:"UUID version 7"`
	ProfileID    string    `json:"profile_id"`
	ProfileName  string    `json:"profile_name" doc:"the name of the profile when the generation was made"`
	Text         string    `json:"text"`
	Language     string    `json:"language"`
	AudioPath    string    `json:"audio_path" doc:"absolute path of the finished file, empty until complete"`
	Duration     float64   `json:"duration" doc:"seconds, 0 until complete"`
	Seed         int64     `json:"seed" doc:"the seed that was used"`
	CreatedAt    time.Time `json:"created_at"`
	Status       Status    `json:"status" enum:"queued,downloading_model,loading_model,generating,complete,failed,cancelled"`
	Progress     float64   `json:"progress" doc:"0 to 1"`
	ChunksDone   int       `json:"chunks_done" doc:"chunks that are finished"`
	ChunksBehind int       `json:"chunks_behind,omitempty" doc:"how many of the finished chunks come after one that is missing, and are not heard until it is there; absent: none"`
	ChunksTotal  int       `json:"chunks_total" doc:"0 until it is known"`
	ETASeconds   *float64  `json:"eta_seconds" doc:"estimated time left, null where unknown"`
	Error        *Failure  `json:"error"`
	SampleRate   int       `json:"sample_rate" doc:"Hz, 0 until complete"`
	Channels     int       `json:"channels" doc:"0 until complete"`
	Format       string    `json:"format" enum:"wav,flac,mp3,opus,m4a"`
	ModelName    string    `json:"model_name"`
	Engine       string    `json:"engine"`
	Voice        string    `json:"voice"`
	Speed        float64   `json:"speed"`
	Source       Source    `json:"source" enum:"local,hosted"`
	Credits      *int64    `json:"credits"`
	Favorite     bool      `json:"favorite"`
	Title        string    `json:"title"`
	ParentID     *string   `json:"parent_id"`
	Chunks       []Chunk   `json:"chunks"`
	Receipt      *Receipt  `json:"receipt"`

	Partial *Partial `json:"partial" doc:"the finished chunks of one that was stopped or failed, which a retry reuses; null otherwise"`

	Verify      *Verification `json:"verify" doc:"how well a transcription model understood the audio; null until it was heard"`
	VerifyError *Failure      `json:"verify_error" doc:"why the audio could not be heard; null otherwise"`
	Verifying   bool          `json:"verifying,omitempty" doc:"true while it waits to be heard, or is heard"`

	Version int  `json:"-"` // changes with its text, see FormerVersion; the names of its takes begin with it
	CanUndo bool `json:"-"`

	Wait *Wait `json:"wait" doc:"why a hosted generation waits; null otherwise"` // while it runs; it is not stored

	// Brief reports that the generation was read for a list: Chunks, Receipt and Request are empty (but for its book), ChunksTotal is
	// the number of chunks of a complete one, and Text may be cut after BriefText + 1 characters.
	Brief bool `json:"-"`
	// Request is what retry and regenerate need; it is stored and not shown.
	Request GenerationRequest `json:"-"`
}

// Partial is what is stored of a generation that was stopped, or failed, before it was complete.
type Partial struct {
	Chunks  int     `json:"chunks" doc:"finished chunks"`
	Total   int     `json:"total" doc:"chunks of the text"`
	Seconds float64 `json:"seconds" doc:"length of the finished chunks, without the pauses between them"`
	Behind  int     `json:"behind,omitempty" doc:"how many of the finished chunks come after one that is missing, and are not heard until it is there; absent: none"`
}

// GenerateOptions are the optional fields of a request to generate, as the API takes them. Pointers are nil for fields that were
// not given.
type GenerateOptions struct {
	Voice         string       `json:"voice,omitempty" maxLength:"200" doc:"MODEL:VOICE instead of the profile's voice; hosted:ID for a hosted voice, whose model is model_name"`
	Language      string       `json:"language,omitempty" maxLength:"35" doc:"BCP 47"`
	Seed          *int64       `json:"seed,omitempty" minimum:"0" maximum:"2147483647"`
	Speed         *float64     `json:"speed,omitempty" minimum:"0.25" maximum:"4"`
	ModelName     string       `json:"model_name,omitempty" maxLength:"64"`
	Title         string       `json:"title,omitempty" maxLength:"200"`
	Format        string       `json:"format,omitempty" enum:"wav,flac,mp3,opus,m4a"`
	Normalize     *bool        `json:"normalize,omitempty" doc:"normalise to -16 LUFS with a true peak of at most -1 dB; default true"`
	Limit         *bool        `json:"limit,omitempty" doc:"false: normalise by one gain only, without the limiter, which reduces peaks by up to 9 dB; default true"`
	MaxChunkChars *int         `json:"max_chunk_chars,omitempty" minimum:"50" maximum:"5000"`
	CrossfadeMS   *int         `json:"crossfade_ms,omitempty" minimum:"0" maximum:"500"`
	Pauses        PauseOptions `json:"pauses,omitempty" doc:"override the settings"`
	Verify        *bool        `json:"verify,omitempty" doc:"hear the finished audio with the model of speech.verify_model, and make passages again that are not understood; default: the setting speech.verify"`
	AcceptLicense bool         `json:"accept_license,omitempty" doc:"accept the licence of the model, where required"`
	Steps         int          `json:"steps,omitempty" minimum:"1" maximum:"100" doc:"for models with refinement steps, such as 2, 5 or 12: more steps take longer and sound better"`

	Hosted        *HostedOptions `json:"hosted,omitempty" doc:"options of a hosted voice; not all models have them"`
	AcceptCredits *int64         `json:"accept_credits,omitempty" minimum:"0" doc:"the price of a hosted voice that the user accepted"`

	Pronunciations map[string]string `json:"pronunciations,omitempty" doc:"word to respelling or /ipa/, over the dictionary; up to 1,000"`
}

// GenerationRequest is what a generation was made with, as its row stores it.
type GenerationRequest struct {
	GenerateOptions
	Pauses      *Pauses        `json:"pauses,omitempty"`       // in the place of those asked for; nil for generations made before pauses followed the structure of the text
	Dialogue    []DialogueLine `json:"dialogue,omitempty"`     // the lines of a hosted dialogue, which is then the text
	HostedVoice *HostedVoice   `json:"hosted_voice,omitempty"` // as it was when the generation was made

	Donors []string `json:"donors,omitempty"`  // ids of generations whose passages it uses, the preferred ones first
	Behind bool     `json:"behind,omitempty"`  // it waits for what is started by hand
	BookID string   `json:"book_id,omitempty"` // the book that it belongs to
}

// Pauses are the silences in seconds that follow the structure of a text. They include the silence that the engine adds.
type Pauses struct {
	Sentence  float64 `json:"sentence"`
	Paragraph float64 `json:"paragraph"`
	Heading   float64 `json:"heading"`
	Scene     float64 `json:"scene"`
}

// PauseOptions are the pauses of a request in seconds; nil = as in the settings.
type PauseOptions struct {
	Sentence  *float64 `json:"sentence,omitempty" minimum:"0" maximum:"10" doc:"seconds between sentences"`
	Paragraph *float64 `json:"paragraph,omitempty" minimum:"0" maximum:"10" doc:"seconds between paragraphs"`
	Heading   *float64 `json:"heading,omitempty" minimum:"0" maximum:"10" doc:"seconds before and after a heading"`
	Scene     *float64 `json:"scene,omitempty" minimum:"0" maximum:"10" doc:"seconds at a scene break, a line such as * * *"`
}

// Over returns p with the fields that are set in o.
func (o PauseOptions) Over(p Pauses) Pauses {
	for field, value := range map[*float64]*float64{
		&p.Sentence: o.Sentence, &p.Paragraph: o.Paragraph, &p.Heading: o.Heading, &p.Scene: o.Scene,
	} {
		if value != nil {
			*field = *value
		}
	}
	return p
}

// GenerationPatch changes the given fields only.
type GenerationPatch struct {
	Title    *string
	Favorite *bool
}

// Apply changes the given fields of a generation.
func (c GenerationPatch) Apply(g *Generation) {
	set(&g.Title, c.Title)
	set(&g.Favorite, c.Favorite)
}

// GenerationHit is a generation found by a search.
type GenerationHit struct {
	Generation
	Highlight string `json:"highlight,omitempty" doc:"the text around the hits, with <mark> around each"`
}

// LibraryCounts are how many things of each kind a library has.
type LibraryCounts struct {
	Generations    int `json:"generations"`
	Transcripts    int `json:"transcripts"`
	Profiles       int `json:"profiles"`
	Drafts         int `json:"drafts"`
	Pronunciations int `json:"pronunciations"`
	Books          int `json:"books"`
}

// HistoryStats are statistics of the history.
type HistoryStats struct {
	Generations int            `json:"generations"`
	Complete    int            `json:"complete"`
	Failed      int            `json:"failed"`
	Seconds     float64        `json:"seconds"`
	Characters  int64          `json:"characters"`
	ByEngine    map[string]int `json:"by_engine"`
	ByProfile   map[string]int `json:"by_profile"`
	Transcripts int            `json:"transcripts"`
	Transcribed float64        `json:"transcribed_seconds"`
}
