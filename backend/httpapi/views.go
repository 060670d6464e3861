package httpapi

import (
	"encoding/json"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// The types of this file are what the API shows of domain types. They are converted field by field, so that a new field of the
// domain type does not compile until it is added here; generation_view.go and scripts.go have those that differ more. A profile is
// shown as it is.

// List is a page of a list as the API shows it.
type List[T any] struct {
	Items       []T     `json:"items"`
	Total       int     `json:"total"`
	TotalCapped bool    `json:"total_capped,omitempty"`
	NextCursor  *string `json:"next_cursor"`
}

// mapList returns the page of a list with each item shown by view.
func mapList[T, V any](list backend.List[T], view func(T) V) List[V] {
	return List[V]{
		Items: mapAll(list.Items, view), Total: list.Total, TotalCapped: list.TotalCapped, NextCursor: list.NextCursor,
	}
}

// whole returns a list that has one page.
func whole[V any](items []V) List[V] {
	return List[V]{Items: append([]V{}, items...), Total: len(items)}
}

// mapAll returns what view returns for each item; never nil.
func mapAll[T, V any](items []T, view func(T) V) []V {
	out := make([]V, len(items))
	for i, item := range items {
		out[i] = view(item)
	}
	return out
}

// Profile is a voice profile as the API shows it.
type Profile backend.Profile

// Draft is a draft as the API shows it.
type Draft struct {
	ID        string                     `json:"id" doc:"UUID version 7"`
	Name      string                     `json:"name"`
	Content   map[string]json.RawMessage `json:"content" doc:"any object; the server does not read it"`
	CreatedAt time.Time                  `json:"created_at"`
	UpdatedAt time.Time                  `json:"updated_at" doc:"increases with every change"`
}

// Pronunciation is a pronunciation as the API shows it.
type Pronunciation struct {
	ID         string `json:"id" doc:"UUID version 7"`
	Word       string `json:"word" doc:"a word or a phrase, matched ignoring case"`
	Respelling string `json:"respelling" doc:"what is spoken instead, or phonemes as /ipa/"`
	Language   string `json:"language" doc:"BCP 47; empty for all languages"`
}

// HistoryStats are the statistics of the history as the API shows them.
type HistoryStats struct {
	Generations int            `json:"generations"`
	Complete    int            `json:"complete"`
	Failed      int            `json:"failed"`
	Seconds     float64        `json:"seconds" doc:"of finished audio"`
	Characters  int64          `json:"characters" doc:"of finished text"`
	ByEngine    map[string]int `json:"by_engine"`
	ByProfile   map[string]int `json:"by_profile" doc:"by the profile's name at generation time"`
	Transcripts int            `json:"transcripts"`
	Transcribed float64        `json:"transcribed_seconds" doc:"of audio in finished transcripts"`
}

// ModelStatus is a model as the API shows it.
type ModelStatus struct {
	ModelName   string                 `json:"model_name"`
	DisplayName string                 `json:"display_name"`
	Engine      string                 `json:"engine"`
	Downloaded  bool                   `json:"downloaded"`
	SizeMB      int                    `json:"size_mb" doc:"of the chosen variant, 1,000,000 bytes, rounded up"`
	Loaded      bool                   `json:"loaded"`
	State       backend.ModelState     `json:"state"`
	Family      string                 `json:"family" enum:"speech,transcription,speakers"`
	Variant     string                 `json:"variant"`
	Note        string                 `json:"note" doc:"what the model is good for"`
	RepoID      string                 `json:"repo_id"`
	Revision    string                 `json:"revision"`
	Languages   []string               `json:"languages"`
	License     backend.License        `json:"license"`
	Voices      int                    `json:"voices" doc:"voices that this build can use"`
	Cloning     bool                   `json:"cloning"`
	Memory      backend.ModelMemory    `json:"memory_mb"`
	Fits        backend.Fits           `json:"fits" enum:"yes,tight,no,unknown"`
	Device      string                 `json:"device" doc:"where the model is loaded, empty when it is not"`
	Downloading *backend.ModelDownload `json:"downloading"`
	PartialMB   int                    `json:"partial_mb" doc:"size of the partial files of a stopped download"`
	Error       *backend.Failure       `json:"error"`
	LastUsedAt  *time.Time             `json:"last_used_at"`
	RTF         *float64               `json:"rtf" doc:"real-time factor: seconds of synthesis per second of audio, measured on this machine"`
	Shape       *backend.ModelShape    `json:"shape" doc:"how the loaded model uses the CPU cores, null when it is not loaded"`
	Default     bool                   `json:"default"`
	UnloadAt    *time.Time             `json:"idle_unload_at"`

	Supported    bool `json:"supported" doc:"whether this program has the engine of the model"`
	Mixes        bool `json:"mixes" doc:"whether its voices can be mixed: af_heart:0.6+af_bella:0.4"`
	Steps        bool `json:"steps" doc:"whether it supports steps in a generation request"`
	Multilingual bool `json:"multilingual" doc:"whether each of its voices speaks all of its languages"`
	Samples      bool `json:"samples" doc:"whether its makers publish samples of its voices, to be heard before the download"`

	Notes map[string]string `json:"language_notes" doc:"what the model does badly in a language, one sentence by tag"`

	EspeakLanguages []string `json:"espeak_languages" doc:"those of languages that it speaks only where espeak-ng is installed"`

	Expressions []string `json:"expressions" doc:"what its voices play in square brackets, in all forms: laugh, laughs, laughing"`

	DeviceRequested string           `json:"device_requested" doc:"what the setting was when it was loaded, empty when it is not"`
	DeviceWarning   *backend.Failure `json:"device_warning" doc:"why it runs on the CPU in place of the GPU that was asked for, else null"`
}

// ModelDetail is a model with its voices and files as the API shows it.
type ModelDetail struct {
	ModelStatus
	VoicesList []backend.ModelVoice `json:"voices_list" doc:"the first is the default voice"`
	Files      []backend.ModelFile  `json:"files"`
}

// ModelProgress is a progress record of a download as the API shows it.
type ModelProgress struct {
	ModelName      string                 `json:"model_name"`
	Current        int64                  `json:"current" doc:"bytes so far; never goes down within one download"`
	Total          int64                  `json:"total" doc:"bytes of all files"`
	Filename       string                 `json:"filename"`
	Status         backend.DownloadStatus `json:"status" enum:"idle,queued,resolving,downloading,verifying,paused,complete,error"`
	BytesPerSecond int64                  `json:"bytes_per_second"`
	ETASeconds     *float64               `json:"eta_seconds" doc:"null while it is unknown"`
	Retry          *backend.ModelRetry    `json:"retry,omitempty" doc:"while waiting to retry after a failed attempt"`
	Code           backend.Code           `json:"code,omitempty"`
	Detail         string                 `json:"detail,omitempty"`
	Remedy         string                 `json:"remedy,omitempty"`
}

// ModelsDirectory is the folder of the models as the API shows it.
type ModelsDirectory struct {
	Path      string `json:"path"`
	UsedBytes int64  `json:"used_bytes"`
	FreeBytes *int64 `json:"free_bytes" doc:"null where unknown"`
	Moving    bool   `json:"moving"`
	// MovedBytes is how much of UsedBytes has been moved to the new folder, 0 when nothing is being moved.
	MovedBytes int64                  `json:"moved_bytes"`
	Adopting   *backend.ModelDownload `json:"adopting" doc:"how much of the files of an adopted folder has been checked, else null"`
}
