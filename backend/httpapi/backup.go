package httpapi

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backup"
	"github.com/voicewright/voicewright/backend/settings"
)

// maxBackup is how large an uploaded backup may be, in bytes; the disk ends it earlier.
const maxBackup = 1 << 40

// Restorer replaces the library with a backup, in two steps.
type Restorer interface {
	// Check unpacks a backup beside the library and checks all of it. Errors: restore_in_progress, unsupported_media, database_newer,
	// insufficient_disk, cancelled; then nothing stays of it.
	Check(ctx context.Context, file string) (CheckedBackup, error)
	// Apply has it replace the library, which the program closes and opens again. Errors: not_found, restore_in_progress.
	Apply(ctx context.Context, id string, takeNetwork bool) error
	// Discard removes it. Errors: not_found, restore_in_progress.
	Discard(id string) error
	// Restoring reports whether it waits until the program has closed the library.
	Restoring() bool
	// Undone reports whether the library of the last restore could not be opened, so that the former one is served.
	Undone() bool
	// Former returns the folder with the library from before the last restore, "" where there is none.
	Former() string
}

// CheckedBackup is a backup that can be restored as it is.
type CheckedBackup struct {
	ID         string                `json:"id" doc:"for the request that restores it"`
	CreatedAt  time.Time             `json:"created_at"`
	AppVersion string                `json:"app_version" doc:"of the program that made it"`
	Bytes      int64                 `json:"bytes" doc:"of its files"`
	Missing    int                   `json:"missing" doc:"audio files that were missing when it was made"`
	Prints     int                   `json:"voice_prints" doc:"known speakers whose voice prints are in it"`
	Holds      backend.LibraryCounts `json:"holds" doc:"what is in it"`
	Present    backend.LibraryCounts `json:"present" doc:"what is in the library that it replaces"`
	Network    []settings.Change     `json:"network" doc:"settings that change what this program connects to, or who can connect to it"`
}

// backupHandlers are the routes that back up the library and restore it.
type backupHandlers struct {
	library *backup.Service
	restore Restorer
	exports *exports
	forms   *forms
	log     *slog.Logger
}

func (h *backupHandlers) routes(r *router) {
	if h.library != nil {
		get(r, "/backup", "backup", "Back up the library as a zip file", h.backup, returnsFile("application/zip"),
			describe("A consistent copy of the database with the settings, the list of models and the audio; no models, no secrets. "+
				"`voicewright restore FILE` reads it. If the connection breaks off before the end, the file is not a backup."))
		get(r, "/backup/size", "backup-size", "How large a backup would be", h.size)
	}
	if h.restore == nil {
		return
	}
	get(r, "/restore", "restore-state", "Whether a restore is being completed", h.state)
	post(r, "/restore", "check-backup", "Check a backup before it is restored", h.check, h.forms.acceptForm(maxBackup, "BackupToRestore"),
		describe("The whole backup is checked and unpacked beside the library, which does not change. An earlier one is removed."))
	post(r, "/restore/{restore_id}", "restore", "Replace the library with a checked backup", h.apply, status(http.StatusAccepted),
		describe("The program closes its library, moves it to the folder `before-restore` of the data directory, where it stays until the "+
			"next restore, and opens the restored one. Running work is stopped. `GET /restore` answers again once that is done."))
	del(r, "/restore/{restore_id}", "discard-restore", "Remove a checked backup that is not restored", h.discard)
}

type backupInput struct {
	ExportID ID `query:"export_id" doc:"chosen by the caller, for the progress and to cancel it"`
	backup.Choice
}

func (h *backupHandlers) backup(ctx context.Context, in *backupInput) (*huma.StreamResponse, error) {
	snap, err := h.library.Prepare(ctx, in.Choice)
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(c huma.Context) {
		defer func() {
			if err := snap.Close(); err != nil {
				h.log.WarnContext(ctx, "remove the copies of a backup", slog.Any("error", err))
			}
		}()
		_, w := humago.Unwrap(c)
		w.Header().Set(backup.SizeHeader, strconv.FormatInt(snap.Size(), 10))
		attach(w, snap.Name(), "application/zip")
		err := h.exports.run(ctx, string(in.ExportID), "query", func(ctx context.Context, report func(float64)) error {
			return snap.WriteTo(ctx, &progressWriter{Writer: w, ctx: ctx, total: snap.Size(), report: report})
		})
		if err != nil {
			h.log.WarnContext(ctx, "backup aborted", slog.Any("error", err))
			// The status has been sent; only a broken connection can still show that the file is incomplete.
			panic(http.ErrAbortHandler)
		}
	}}, nil
}

// progressWriter reports how much of total was written, in steps of a hundredth, and ends with ctx.
type progressWriter struct {
	io.Writer
	ctx         context.Context //nolint:containedctx // of one request, for an interface without it
	done, total int64
	told        float64
	report      func(share float64) // nil: nobody wants to know
}

// Write writes to the response. Error: cancelled.
func (w *progressWriter) Write(b []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, backend.ErrCancelled.WithCause(err)
	}
	n, err := w.Writer.Write(b)
	w.done += int64(n)
	const step = 0.01
	if share := float64(w.done) / float64(max(w.total, w.done, 1)); w.report != nil && share >= w.told+step && share < 1 {
		w.told = share
		w.report(share)
	}
	return n, err
}

type backupSizeOutput struct {
	Body struct {
		Bytes int64 `json:"bytes" doc:"of its files; some get smaller in the backup"`
	} `nameHint:"BackupSize"`
}

func (h *backupHandlers) size(ctx context.Context, in *backup.Choice) (*backupSizeOutput, error) {
	snap, err := h.library.Prepare(ctx, *in)
	if err != nil {
		return nil, err
	}
	out := &backupSizeOutput{}
	out.Body.Bytes = snap.Size()
	return out, snap.Close()
}

type restoreStateOutput struct {
	Body struct {
		Restoring bool   `json:"restoring" doc:"a restored library waits until this one is closed"`
		Undone    bool   `json:"undone" doc:"the library of the last restore could not be opened, so the former one is back in its place; until the next restore or start"`
		Former    string `json:"former" doc:"the folder with the library from before the last restore; empty where there is none"`
	} `nameHint:"RestoreState"`
}

func (h *backupHandlers) state(context.Context, *struct{}) (*restoreStateOutput, error) {
	out := &restoreStateOutput{}
	out.Body.Restoring, out.Body.Undone, out.Body.Former = h.restore.Restoring(), h.restore.Undone(), h.restore.Former()
	return out, nil
}

type checkBackupInput struct {
	Body struct{} `nameHint:"BackupToRestore"`
}

type checkBackupOutput struct{ Body CheckedBackup }

func (h *backupHandlers) check(ctx context.Context, _ *checkBackupInput) (*checkBackupOutput, error) {
	file := uploadOf(ctx)
	if file.path == "" {
		return nil, backend.Invalid("missing", "Field required", "body", "file")
	}
	checked, err := h.restore.Check(ctx, file.path)
	if err != nil {
		return nil, err
	}
	return &checkBackupOutput{checked}, nil
}

// RestorePath is the id of a checked backup in a path; it is exported for huma.
type RestorePath struct {
	RestoreID ID `path:"restore_id"`
}

type restoreInput struct {
	RestorePath
	Body struct {
		NetworkSettings bool `json:"network_settings,omitempty" doc:"take the settings of the network from the backup; absent: those of this machine stay"`
	} `nameHint:"RestoreRequest"`
}

func (h *backupHandlers) apply(ctx context.Context, in *restoreInput) (*restoreStateOutput, error) {
	if err := h.restore.Apply(ctx, string(in.RestoreID), in.Body.NetworkSettings); err != nil {
		return nil, err
	}
	return h.state(ctx, nil)
}

func (h *backupHandlers) discard(_ context.Context, in *RestorePath) (*struct{}, error) {
	return nil, h.restore.Discard(string(in.RestoreID))
}
