package backend

import (
	"slices"
	"time"
)

// ModelState is where a model is between the hub and memory.
type ModelState string

// The states of a model (docs/architecture.md).
const (
	ModelNotDownloaded ModelState = "not_downloaded"
	ModelDownloading   ModelState = "downloading"
	ModelDownloaded    ModelState = "downloaded"
	ModelLoading       ModelState = "loading"
	ModelLoaded        ModelState = "loaded"
	ModelUnloading     ModelState = "unloading"
	ModelBroken        ModelState = "broken" // a file is missing or corrupt
)

var modelMoves = map[ModelState][]ModelState{
	ModelNotDownloaded: {ModelDownloading, ModelDownloaded},
	ModelDownloading:   {ModelDownloaded, ModelNotDownloaded},
	ModelDownloaded:    {ModelLoading, ModelNotDownloaded, ModelBroken},
	ModelLoading:       {ModelLoaded, ModelDownloaded, ModelBroken},
	ModelLoaded:        {ModelUnloading},
	ModelUnloading:     {ModelDownloaded},
	ModelBroken:        {ModelDownloading, ModelDownloaded, ModelNotDownloaded},
}

// CanMove reports whether the table allows the step from s to next.
func (s ModelState) CanMove(next ModelState) bool { return slices.Contains(modelMoves[s], next) }

// OnDisk reports whether the files of a model in this state are complete.
func (s ModelState) OnDisk() bool {
	switch s {
	case ModelDownloaded, ModelLoading, ModelLoaded, ModelUnloading:
		return true
	default:
		return false
	}
}

// ModelStates returns all states.
func ModelStates() []ModelState {
	return []ModelState{
		ModelNotDownloaded, ModelDownloading, ModelDownloaded, ModelLoading, ModelLoaded, ModelUnloading, ModelBroken,
	}
}

// DownloadStatus is the status of a progress record.
type DownloadStatus string

// The states of a progress record (decisions.md section 2). Only complete and error end a stream.
const (
	DownloadIdle      DownloadStatus = "idle"
	DownloadQueued    DownloadStatus = "queued"
	DownloadResolving DownloadStatus = "resolving"
	DownloadRunning   DownloadStatus = "downloading"
	DownloadVerifying DownloadStatus = "verifying"
	DownloadPaused    DownloadStatus = "paused"
	DownloadComplete  DownloadStatus = "complete"
	DownloadError     DownloadStatus = "error"
)

// ModelProgress is the progress record of one model's download.
type ModelProgress struct {
	ModelName      string         `json:"model_name"`
	Current        int64          `json:"current"`
	Total          int64          `json:"total"`
	Filename       string         `json:"filename"`
	Status         DownloadStatus `json:"status"`
	BytesPerSecond int64          `json:"bytes_per_second"`
	ETASeconds     *float64       `json:"eta_seconds"`
	Retry          *ModelRetry    `json:"retry,omitempty"`
	Code           Code           `json:"code,omitempty"`
	Detail         string         `json:"detail,omitempty"`
	Remedy         string         `json:"remedy,omitempty"`
}

// ModelRetry is a wait of a download after an attempt that failed.
type ModelRetry struct {
	Attempt     int     `json:"attempt" doc:"the next attempt, counted since the last received byte"`
	Of          int     `json:"of" doc:"number of attempts; 0 while the network is lost"`
	WaitSeconds float64 `json:"wait_seconds" doc:"total wait, from the first record with this retry"`
	Code        Code    `json:"code" doc:"why the last attempt failed"`
	Detail      string  `json:"detail"`
	NetworkLost bool    `json:"network_lost,omitempty" doc:"no connection can be made: the download resumes as soon as one can, and fails after an hour"`
}

// Ended reports whether a stream of progress ends with this record.
func (p ModelProgress) Ended() bool { return p.Status == DownloadComplete || p.Status == DownloadError }

// ModelDownload is a running download in a status entry.
type ModelDownload struct {
	Current int64 `json:"current"`
	Total   int64 `json:"total"`
}

// ModelMemory is the memory of a loaded model in MB; null where unknown.
type ModelMemory struct {
	Estimate *int `json:"estimate"`
	Measured *int `json:"measured"`
}

// ModelShape is how a loaded model uses the CPU cores.
type ModelShape struct {
	Workers int `json:"workers" doc:"sentences of a long text that are generated in parallel"`
	Threads int `json:"threads" doc:"threads of each worker; 0 where the engine does not control them"`
}

// Fits is whether a model fits into the memory of this machine now.
type Fits string

// The values of Fits.
const (
	FitsYes     Fits = "yes"
	FitsTight   Fits = "tight" // barely
	FitsNo      Fits = "no"    // more than this machine has
	FitsUnknown Fits = "unknown"
)

// ModelStatus is one entry of the model list (model-server.md, Model status entry; decisions.md section 2).
type ModelStatus struct {
	ModelName   string         `json:"model_name"`
	DisplayName string         `json:"display_name"`
	Engine      string         `json:"engine"`
	Downloaded  bool           `json:"downloaded"`
	SizeMB      int            `json:"size_mb"`
	Loaded      bool           `json:"loaded"`
	State       ModelState     `json:"state"`
	Family      string         `json:"family"`
	Variant     string         `json:"variant"`
	Note        string         `json:"note"`
	RepoID      string         `json:"repo_id"`
	Revision    string         `json:"revision"`
	Languages   []string       `json:"languages"`
	License     License        `json:"license"`
	Voices      int            `json:"voices"`
	Cloning     bool           `json:"cloning"`
	Memory      ModelMemory    `json:"memory_mb"`
	Fits        Fits           `json:"fits"`
	Device      string         `json:"device"`
	Downloading *ModelDownload `json:"downloading"`
	PartialMB   int            `json:"partial_mb"`
	Error       *Failure       `json:"error"`
	LastUsedAt  *time.Time     `json:"last_used_at"`
	RTF         *float64       `json:"rtf"`
	Shape       *ModelShape    `json:"shape"`
	Default     bool           `json:"default"`
	UnloadAt    *time.Time     `json:"idle_unload_at"`

	Supported    bool `json:"supported"`
	Mixes        bool `json:"mixes"`
	Steps        bool `json:"steps"`
	Multilingual bool `json:"multilingual"`
	Samples      bool `json:"samples"`

	Notes map[string]string `json:"language_notes"`

	EspeakLanguages []string `json:"espeak_languages"`

	Expressions []string `json:"expressions"`

	DeviceRequested string   `json:"device_requested"`
	DeviceWarning   *Failure `json:"device_warning"`
}

// ModelVoice is a voice of a model.
type ModelVoice struct {
	ID       string `json:"id" doc:"VOICE in MODEL:VOICE"`
	Name     string `json:"name"`
	Language string `json:"language" doc:"BCP 47, of the voice itself"`
	Gender   Gender `json:"gender" enum:"female,male," doc:"empty where unknown"`
	Usable   bool   `json:"usable" doc:"false when this build cannot use it"`
	Reason   string `json:"reason" doc:"why it is not usable, else empty"`
}

// ModelDetail is a model with its voices.
type ModelDetail struct {
	ModelStatus
	VoicesList []ModelVoice `json:"voices_list"`
	Files      []ModelFile  `json:"files"`
}

// ModelFile is a file of a model.
type ModelFile struct {
	Repo   string `json:"repo_id" doc:"repository at the hub; those of one model may differ; empty for an imported file"`
	Path   string `json:"path"`
	Bytes  int64  `json:"bytes" doc:"0 where unknown"`
	SHA256 string `json:"sha256" doc:"empty where unknown before the download"`
}

// License is the licence of a model.
type License struct {
	Name           string `json:"name"`
	URL            string `json:"url"`
	AcceptRequired bool   `json:"accept_required"`
	Accepted       bool   `json:"accepted"`
}

// ModelLoad is the result of loading a model.
type ModelLoad struct {
	ModelName string `json:"model_name"`
	Loaded    bool   `json:"loaded"`
	LoadMS    int64  `json:"load_ms"`
	MemoryMB  int    `json:"memory_mb"`
	Device    string `json:"device"`

	Warning *Failure `json:"device_warning" doc:"why it runs on the CPU in place of the GPU that was asked for, else null"`
}

// ModelFreed is the result of unloading a model.
type ModelFreed struct {
	ModelName string `json:"model_name"`
	Loaded    bool   `json:"loaded"`
	FreedMB   int    `json:"freed_mb"`
}

// ModelDeleted is the result of deleting a model.
type ModelDeleted struct {
	ModelName  string `json:"model_name"`
	Downloaded bool   `json:"downloaded"`
	FreedMB    int    `json:"freed_mb"`
}

// ModelVerified is the result of verifying the files of a model.
type ModelVerified struct {
	ModelName string   `json:"model_name"`
	OK        bool     `json:"ok"`
	Files     int      `json:"files"`
	Bytes     int64    `json:"bytes"`
	Error     *Failure `json:"error"`
}

// ModelsDirectory is the folder of the models.
type ModelsDirectory struct {
	Path      string `json:"path"`
	UsedBytes int64  `json:"used_bytes"`
	FreeBytes *int64 `json:"free_bytes"`
	Moving    bool   `json:"moving"`
	// MovedBytes is how much of UsedBytes has been moved to the new folder, 0 when nothing is being moved.
	MovedBytes int64 `json:"moved_bytes"`
	// Adopting is how many bytes of a folder that is being adopted have been checked; nil at other times.
	Adopting *ModelDownload `json:"adopting"`
}
