package httpapi

import (
	"context"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backup"
	"github.com/voicewright/voicewright/backend/bookexport"
	"github.com/voicewright/voicewright/backend/books"
	"github.com/voicewright/voicewright/backend/dictation"
	"github.com/voicewright/voicewright/backend/export"
	"github.com/voicewright/voicewright/backend/hosted"
	"github.com/voicewright/voicewright/backend/hosted/signin"
	"github.com/voicewright/voicewright/backend/models"
	"github.com/voicewright/voicewright/backend/profiles"
	"github.com/voicewright/voicewright/backend/recordings"
	"github.com/voicewright/voicewright/backend/settings"
	"github.com/voicewright/voicewright/backend/studio"
	"github.com/voicewright/voicewright/backend/system"
	"github.com/voicewright/voicewright/backend/transcribe"
	"github.com/voicewright/voicewright/backend/updates"
	"github.com/voicewright/voicewright/backend/uploads"
	"github.com/voicewright/voicewright/backend/voiceprints"
)

// Services are the services behind the routes. The routes of a nil service are left out.
type Services struct {
	Speech       *studio.Studio
	Books        *books.Service
	BookExport   *bookexport.Service
	BookCovers   Covers
	Profiles     *profiles.Service
	Models       *models.Manager
	ModelsFolder ModelsFolder
	Store        Store
	Export       *export.Service
	Settings     *settings.Settings
	Uploads      *uploads.Reader
	Backup       *backup.Service
	Restore      Restorer
	Updates      *updates.Checker
	Recordings   *recordings.Service
	Dictation    *dictation.Service
	VoicePrints  *voiceprints.Service
	Hosted       *hosted.Service
	SignIn       *signin.Manager
	Forward      Forwarder // of /api/v1/, the hosted API

	Transcriptions *transcribe.Service
	System         func(ctx context.Context) system.Info
}

// Covers are the pictures of books.
type Covers interface {
	Use() (files int, bytes int64, err error)
}

// ModelsFolder reports where the models are stored, and moves them.
type ModelsFolder interface {
	Directory(ctx context.Context) backend.ModelsDirectory
	Adopt(ctx context.Context, path string) error
	Move(ctx context.Context, path string) error
}

// Store reads and writes the rows for which no other service has rules. It is an interface because only app may see
// package sqlite, whose DB implements it.
type Store interface {
	Profile(ctx context.Context, id string) (backend.Profile, error)
	Profiles(ctx context.Context, f backend.ProfileFilter) (backend.List[backend.Profile], error)

	Generations(ctx context.Context, f backend.GenerationFilter) (backend.List[backend.GenerationHit], error)
	PatchGeneration(ctx context.Context, id string, patch backend.GenerationPatch) (backend.Generation, error)
	FavoriteGenerations(ctx context.Context, ids []string, favorite bool) (int, error)
	Stats(ctx context.Context) (backend.HistoryStats, error)
	BookTextBytes(ctx context.Context) (int64, error) // of the manuscripts

	Transcripts(ctx context.Context, f backend.TranscriptFilter) (backend.List[backend.TranscriptHit], error)

	CreateDraft(ctx context.Context, d backend.Draft) (backend.Draft, error)
	Draft(ctx context.Context, id string) (backend.Draft, error)
	Drafts(ctx context.Context, f backend.DraftFilter) (backend.List[backend.Draft], error)
	UpdateDraft(ctx context.Context, id string, patch backend.DraftPatch) (backend.Draft, error)
	DeleteDraft(ctx context.Context, id string) error

	CreatePronunciation(ctx context.Context, p backend.Pronunciation) (backend.Pronunciation, error)
	Pronunciation(ctx context.Context, id string) (backend.Pronunciation, error)
	Pronunciations(ctx context.Context, f backend.PronunciationFilter) (backend.List[backend.Pronunciation], error)
	AllPronunciations(ctx context.Context) ([]backend.Pronunciation, error)
	UpdatePronunciation(ctx context.Context, id string, patch backend.PronunciationPatch) (backend.Pronunciation, error)
	DeletePronunciation(ctx context.Context, id string) error
	ImportPronunciations(ctx context.Context, entries []backend.Pronunciation) (added, replaced int, err error)
}
