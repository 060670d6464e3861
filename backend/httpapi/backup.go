package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/voicewright/voicewright/backend/backup"
)

func (h *systemHandlers) backup(ctx context.Context, _ *struct{}) (*huma.StreamResponse, error) {
	snap, err := h.library.Prepare(ctx)
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
		if err := snap.WriteTo(ctx, w); err != nil {
			h.log.WarnContext(ctx, "backup aborted", slog.Any("error", err))
			// The status has been sent; only a broken connection can still show that the file is incomplete.
			panic(http.ErrAbortHandler)
		}
	}}, nil
}
