package httpapi

import (
	"encoding/json"
	"math"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// GenerationFields are the fields that are the same in a Generation and a GenerationRow; it is exported for huma. Chunks and
// Receipt of the embedded generation are replaced by those of the two.
type GenerationFields struct {
	backend.Generation
	GenerationChange
	Made *GenerationOrigin `json:"request,omitempty" doc:"what it was made for; absent where it was made for itself"`
}

// GenerationOrigin is what a generation was made for; it is exported for huma.
type GenerationOrigin struct {
	BookID string `json:"book_id" doc:"the book that it belongs to"`
}

// GenerationChange is what a change of its text means for a generation; it is exported for huma.
type GenerationChange struct {
	Undoable bool    `json:"can_undo" doc:"true when the last change of its text can be undone"`
	LevelOff float64 `json:"level_off,omitempty" doc:"how far a changed text is from the loudness that it was levelled to, in LU; absent up to 0.5, and where the receipt is not shown"`
}

// Generation is a generation as the API shows it by itself. Its receipt is shown as it is stored.
type Generation struct {
	GenerationFields
	Chunks   []Chunk          `json:"chunks"`
	Receipt  *backend.Receipt `json:"receipt"`
	AudioURL string           `json:"audio_url" doc:"a path that works without a token for one hour; empty until complete"`

	Dialogue []backend.DialogueLine `json:"dialogue,omitempty" doc:"the lines of a dialogue that the hosted service spoke in one call; absent for others"`

	AudioMissing bool `json:"audio_missing,omitempty" doc:"true when the file of a finished generation is gone: use regenerate. Only in /history/{id} and /generate/{id}, not in lists"`
}

// Chunk is a piece of the text that was spoken by itself.
type Chunk struct {
	Text  string         `json:"text"`
	Start float64        `json:"start" doc:"seconds from the start of the audio"`
	End   float64        `json:"end" doc:"seconds from the start of the audio"`
	Take  int            `json:"take" doc:"the chosen take, from 0"`
	Takes int            `json:"takes" doc:"number of takes"`
	Words []backend.Word `json:"words,omitempty" doc:"times of the words, where the model supports them"`

	Verify *backend.ChunkVerification `json:"verify,omitempty" doc:"how well a transcription model understood it; absent until it was heard"`
}

// GenerationRow is a generation in a list or a progress message: short, so that lists of long texts are small.
type GenerationRow struct {
	GenerationFields
	Chunks   RowChunks        `json:"chunks"`
	Receipt  *backend.Receipt `json:"receipt" doc:"null unless full=true"`
	AudioURL string           `json:"audio_url" doc:"a path that works without a token for one hour; empty until complete"`

	TextTruncated bool   `json:"text_truncated,omitempty" doc:"true when text holds only the first 240 characters"`
	Highlight     string `json:"highlight,omitempty" doc:"the text around the hits of a search, with <mark> around each"`
}

// ChunkCounts are the chunks of a generation in a list.
type ChunkCounts struct {
	Done  int `json:"done" doc:"as chunks_done"`
	Total int `json:"total" doc:"as chunks_total"`
}

// RowChunks are the numbers of chunks, or all chunks with full=true.
type RowChunks struct {
	ChunkCounts
	all []Chunk // nil = only the numbers
}

// MarshalJSON returns an object of numbers or a list of chunks.
func (c RowChunks) MarshalJSON() ([]byte, error) {
	if c.all != nil {
		return json.Marshal(c.all)
	}
	return json.Marshal(c.ChunkCounts)
}

// Schema describes both forms.
func (RowChunks) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{
		Description: "counts; with full=true the chunks themselves",
		AnyOf: []*huma.Schema{
			r.Schema(reflect.TypeFor[ChunkCounts](), true, ""),
			r.Schema(reflect.TypeFor[[]Chunk](), true, ""),
		},
	}
}

// Full is the query value for complete generations in a list; it is exported for huma.
type Full struct {
	Full bool `query:"full" doc:"whole text, chunks and receipt of each generation"`
}

// View returns a generation for the event streams: short while it is in progress, whole at its end.
func (l *Links) streamed(g backend.Generation) any {
	if g.Status.Ended() {
		return l.generationView(g)
	}
	return l.row(g, false)
}

func (l *Links) generationView(g backend.Generation) Generation {
	if g.Status == backend.StatusComplete && !g.Brief {
		g.ChunksDone, g.ChunksTotal = len(g.Chunks), len(g.Chunks)
	}
	v := Generation{
		GenerationFields: generationFields(g), Chunks: make([]Chunk, len(g.Chunks)), Receipt: g.Receipt, Dialogue: g.Request.Dialogue,
	}
	for i, c := range g.Chunks {
		v.Chunks[i] = Chunk(c)
	}
	if g.AudioPath != "" {
		v.AudioURL = l.audioURL(g.ID)
	}
	return v
}

// levelOff returns how far audio is from the loudness that it was levelled to, in LU; 0 where that is too little to be heard.
func levelOff(r *backend.Receipt) float64 {
	const audible = 0.5
	if r == nil || r.Level == nil || r.Level.LUFS == nil {
		return 0
	}
	off := *r.Level.LUFS - (audio.TargetLUFS - r.Level.ShortfallLU)
	if math.Abs(off) <= audible {
		return 0
	}
	return math.Round(off*100) / 100
}

func generationFields(g backend.Generation) GenerationFields {
	if !g.Status.Ended() {
		g.Partial = nil // it grows now; chunks_done says how far it is
	}
	out := GenerationFields{Generation: g, GenerationChange: GenerationChange{Undoable: g.CanUndo, LevelOff: levelOff(g.Receipt)}}
	if id := g.Request.BookID; id != "" {
		out.Made = &GenerationOrigin{BookID: id}
	}
	return out
}

// row returns a generation for a list, whole where full.
func (l *Links) row(g backend.Generation, full bool) GenerationRow {
	v := l.generationView(g)
	r := GenerationRow{GenerationFields: v.GenerationFields, AudioURL: v.AudioURL}
	if full {
		r.Chunks.all, r.Receipt = v.Chunks, v.Receipt
		return r
	}
	r.Chunks.ChunkCounts = ChunkCounts{Done: r.ChunksDone, Total: r.ChunksTotal}
	r.Text, r.TextTruncated = truncate(r.Text, backend.BriefText)
	return r
}

// truncate returns at most n characters of a text, and whether it has more.
func truncate(text string, n int) (string, bool) {
	for i := range text {
		if n == 0 {
			return text[:i], true
		}
		n--
	}
	return text, false
}
