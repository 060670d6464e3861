package httpapi

import (
	"context"
	"io"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/backup"
	"github.com/voicewright/voicewright/backend/extract"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/backend/profiles"
	"github.com/voicewright/voicewright/backend/settings"
	"github.com/voicewright/voicewright/backend/speech"
	"github.com/voicewright/voicewright/backend/system"
)

// Services are the use cases behind the routes. A nil one leaves its routes out.
type Services struct {
	Speech         Speech
	Voices         Voices
	Library        Library
	Drafts         Drafts
	Pronunciations Pronunciations
	Models         Models
	ModelsDir      ModelsDir
	Settings       Settings
	Extract        Extract
	Backup         Backup
	System         func(ctx context.Context) system.Info
}

// Speech speaks and hands out what was spoken; see speech.Service.
type Speech interface {
	AudioFiles
	Generate(ctx context.Context, r speech.Request) (backend.Generation, error)
	Submit(ctx context.Context, r speech.Request) (backend.Generation, error)
	Stream(ctx context.Context, r speech.Request) (*speech.Stream, error)
	Generation(ctx context.Context, id string) (backend.Generation, error)
	Overlay(g backend.Generation) backend.Generation
	Cancel(ctx context.Context, id string) (backend.Generation, error)
	Retry(ctx context.Context, id string) (backend.Generation, error)
	Regenerate(ctx context.Context, id string, seed *int64) (backend.Generation, error)
	RegenerateChunk(ctx context.Context, id string, chunk int, seed *int64) (backend.Generation, error)
	ChooseTakes(ctx context.Context, id string, takes map[int]int) (backend.Generation, error)
	Script(ctx context.Context, r speech.ScriptRequest) (speech.Script, error)
	SubmitScript(ctx context.Context, r speech.ScriptRequest) (speech.Script, error)
	StoredScript(ctx context.Context, id string) (speech.Script, error)
	Scripts(ctx context.Context, page backend.Page) (backend.List[speech.Script], error)
	JoinScript(ctx context.Context, id string) (speech.Script, error)
	DeleteScript(ctx context.Context, id string) error
	TextPreview(ctx context.Context, r speech.Request) (speech.Spoken, error)
	Delete(ctx context.Context, ids []string) (int, error)
	Preview(ctx context.Context, profileID string) ([]byte, error)
	Peaks(ctx context.Context, id string, n int) ([]audio.Peak, error)
	Storage(ctx context.Context) (speech.Storage, error)
	Export(ctx context.Context, id, format string) (speech.Exported, error)
	TakeAudio(ctx context.Context, id string, n, take int) (speech.Exported, error)
	ExportScript(ctx context.Context, id, format string) (speech.Exported, error)
	ExportSize(ctx context.Context, ids []string, format string) (bytes int64, err error)
	ExportZip(ctx context.Context, w io.Writer, ids []string, format string) error
	ExportIndex(ctx context.Context, w io.Writer, f backend.GenerationFilter, format string) error
}

// Voices applies the rules of voice profiles; see profiles.Service.
type Voices interface {
	Describe(profiles []backend.Profile)
	Create(ctx context.Context, d profiles.Draft) (backend.Profile, error)
	Update(ctx context.Context, id string, patch backend.ProfilePatch) (backend.Profile, error)
	Duplicate(ctx context.Context, id string) (backend.Profile, error)
	Delete(ctx context.Context, id string) error
	Export(ctx context.Context, id string, w io.Writer) (backend.Profile, error)
	Import(ctx context.Context, file []byte) (backend.Profile, error)
}

// Library reads what is stored; see sqlite.DB.
type Library interface {
	Profile(ctx context.Context, id string) (backend.Profile, error)
	Profiles(ctx context.Context, f backend.ProfileFilter) (backend.List[backend.Profile], error)
	Generations(ctx context.Context, f backend.GenerationFilter) (backend.List[backend.GenerationHit], error)
	PatchGeneration(ctx context.Context, id string, patch backend.GenerationPatch) (backend.Generation, error)
	FavoriteGenerations(ctx context.Context, ids []string, favorite bool) (int, error)
	Stats(ctx context.Context) (backend.HistoryStats, error)
}

// Drafts keeps what the studio holds before it is spoken; see sqlite.DB.
type Drafts interface {
	CreateDraft(ctx context.Context, d backend.Draft) (backend.Draft, error)
	Draft(ctx context.Context, id string) (backend.Draft, error)
	Drafts(ctx context.Context, f backend.DraftFilter) (backend.List[backend.Draft], error)
	UpdateDraft(ctx context.Context, id string, patch backend.DraftPatch) (backend.Draft, error)
	DeleteDraft(ctx context.Context, id string) error
}

// Pronunciations keeps the user's dictionary; see sqlite.DB.
type Pronunciations interface {
	CreatePronunciation(ctx context.Context, p backend.Pronunciation) (backend.Pronunciation, error)
	Pronunciation(ctx context.Context, id string) (backend.Pronunciation, error)
	Pronunciations(ctx context.Context, f backend.PronunciationFilter) (backend.List[backend.Pronunciation], error)
	AllPronunciations(ctx context.Context) ([]backend.Pronunciation, error)
	UpdatePronunciation(ctx context.Context, id string, patch backend.PronunciationPatch) (backend.Pronunciation, error)
	DeletePronunciation(ctx context.Context, id string) error
	ImportPronunciations(ctx context.Context, entries []backend.Pronunciation) (added, replaced int, err error)
}

// Models manages models; see models.Manager.
type Models interface {
	Status(ctx context.Context) []backend.ModelStatus
	Loaded(ctx context.Context) []backend.ModelStatus
	Detail(ctx context.Context, name string) (backend.ModelDetail, error)
	Download(ctx context.Context, name string, accept bool) (backend.ModelProgress, error)
	Progress(name string) (backend.ModelProgress, error)
	Pause(ctx context.Context, name string) (backend.ModelProgress, error)
	Resume(ctx context.Context, name string) (backend.ModelProgress, error)
	Cancel(ctx context.Context, name string) (backend.ModelProgress, error)
	Load(ctx context.Context, name string, accept, force bool) (backend.ModelLoad, error)
	Unload(ctx context.Context, name string, force bool) (backend.ModelFreed, error)
	Delete(ctx context.Context, name string, force bool) (backend.ModelDeleted, error)
	Verify(ctx context.Context, name string) (backend.ModelVerified, error)
	Import(ctx context.Context, path, engine, name string) (backend.ModelStatus, error)
	ImportInto(ctx context.Context, name, path string) (backend.ModelStatus, error)
	Catalogue(ctx context.Context, engine, search, language string) ([]registry.CatalogueItem, error)
	RegisterVoice(ctx context.Context, catalogue, key string) (backend.ModelStatus, error)
	Register(ctx context.Context, e registry.Entry) (backend.ModelStatus, error)
	RestorePresets(ctx context.Context) ([]backend.Profile, error)
}

// ModelsDir is the folder of the models.
type ModelsDir interface {
	Directory(ctx context.Context) backend.ModelsDirectory
	Move(ctx context.Context, path string) error
}

// Extract takes the text out of files; see extract.Extractor.
type Extract interface {
	File(ctx context.Context, name string, bytes int64, r io.Reader) (extract.Document, error)
}

// Backup makes copies of the whole library; see backup.Service.
type Backup interface {
	Prepare(ctx context.Context) (*backup.Snapshot, error)
}

// Settings are the user's settings; see settings.Settings.
type Settings interface {
	All() map[string]any
	Put(ctx context.Context, given map[string]any) error
}

var (
	_ Speech   = (*speech.Service)(nil)
	_ Voices   = (*profiles.Service)(nil)
	_ Settings = (*settings.Settings)(nil)
	_ Extract  = (*extract.Extractor)(nil)
	_ Backup   = (*backup.Service)(nil)
)
