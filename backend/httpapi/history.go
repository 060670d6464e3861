package httpapi

import (
	"context"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/export"
	"github.com/voicewright/voicewright/backend/httpapi/events"
	"github.com/voicewright/voicewright/backend/studio"
	"github.com/voicewright/voicewright/backend/transcribe"
	"github.com/voicewright/voicewright/backend/voiceprints"
)

// HistoryFilter selects generations by query values; it is exported for huma.
type HistoryFilter struct{ backend.GenerationFilter }

// Resolve converts the id to its canonical form.
func (f *HistoryFilter) Resolve(huma.Context) []error {
	f.ProfileID = canonicalID(f.ProfileID)
	return nil
}

type historyInput struct {
	HistoryFilter
	Paging
	Full
}

type historyOutput struct {
	Body List[GenerationRow] `nameHint:"History"`
}

// historyHandlers are the routes of the history.
type historyHandlers struct {
	speech         *studio.Studio
	transcriptions *transcribe.Service
	covers         Covers // nil where there are no books
	voicePrints    *voiceprints.Service
	store          Store
	export         *export.Service
	exports        *exports
	temp           *tempFiles
	events         *events.Streams
	links          *Links
}

func (h *historyHandlers) routes(r *router) {
	if h.store == nil {
		return
	}
	get(r, "/history", "history", "List or search the history, newest first", h.history)
	get(r, "/history/stats", "history-stats", "History statistics", h.historyStats)
	get(r, "/history/storage", "history-storage", "Disk space used by the history", h.historyStorage)
	get(r, "/history/export", "export-history-index", "Export the list of the history as CSV or JSON", h.exportIndex,
		returnsFile("text/csv", "application/json"))
	del(r, "/exports/{export_id}", "cancel-export", "Cancel an export that was given an id", h.exports.cancelExport)
	post(r, "/history/export", "export-history", "Export several generations as a zip file", h.exportMany, returnsFile("application/zip"))
	post(r, "/history/delete", "delete-history", "Delete several generations", h.deleteMany)
	post(r, "/history/favorite", "favorite-history", "Add several generations to the favourites, or remove them", h.favoriteMany)
	post(r, "/history/verify", "verify-history", "Listen to several generations with a transcription model", h.verifyMany,
		status(http.StatusAccepted))
	patch(r, "/history/{generation_id}", "patch-history-item", "Change title, favourite or takes", h.patchHistory)
	del(r, "/history/{generation_id}", "delete-history-item", "Delete a generation with its audio", h.deleteHistory)
	get(r, "/history/{generation_id}/peaks", "history-peaks", "Peaks of the audio for a waveform", h.historyPeaks)
	r.file("/history/{generation_id}/export", "export-history-item", "Export a generation as audio or subtitles", h.exportOne,
		audioFile("application/x-subrip", "text/vtt"),
		queryParam("format", "absent: the format of the generation", backend.ExportFormats()...), exportParams)
}

func (h *historyHandlers) history(ctx context.Context, in *historyInput) (*historyOutput, error) {
	f := in.GenerationFilter
	f.Page, f.Brief = in.page(), !in.Full.Full
	list, err := h.store.Generations(ctx, f)
	if err != nil {
		return nil, err
	}
	return &historyOutput{mapList(list, func(hit backend.GenerationHit) GenerationRow {
		row := h.links.row(h.speech.Generations.Overlay(hit.Generation), in.Full.Full)
		row.Highlight = hit.Highlight
		return row
	})}, nil
}

type patchHistoryInput struct {
	GenerationPath
	Body struct {
		Title    *string `json:"title,omitempty" maxLength:"200"`
		Favorite *bool   `json:"favorite,omitempty"`

		Chunks map[string]chunkChange `json:"chunks,omitempty" doc:"the take to use, by chunk number from 0"`
	} `nameHint:"GenerationChanges"`
}

func (h *historyHandlers) patchHistory(ctx context.Context, in *patchHistoryInput) (*generationOutput, error) {
	takes, err := takesOf(in.Body.Chunks)
	if err != nil {
		return nil, err
	}
	if len(takes) > 0 { // first, because it can fail
		if _, err := h.speech.Takes.ChooseTakes(ctx, string(in.ID), takes); err != nil {
			return nil, err
		}
	}
	g, err := h.store.PatchGeneration(ctx, string(in.ID), backend.GenerationPatch{
		Title: in.Body.Title, Favorite: in.Body.Favorite,
	})
	if err == nil {
		h.events.History(1)
	}
	return h.links.generation(http.StatusOK, g, err)
}

type favoriteManyInput struct {
	Body struct {
		IDs      []ID `json:"ids" minItems:"1" maxItems:"1000"`
		Favorite bool `json:"favorite"`
	} `nameHint:"FavoriteRequest"`
}

type favoriteManyOutput struct {
	Body struct {
		Changed int `json:"changed" doc:"how many were changed"`
	} `nameHint:"FavoriteResult"`
}

func (h *historyHandlers) favoriteMany(ctx context.Context, in *favoriteManyInput) (*favoriteManyOutput, error) {
	n, err := h.store.FavoriteGenerations(ctx, idStrings(in.Body.IDs), in.Body.Favorite)
	if err != nil {
		return nil, err
	}
	h.events.History(n)
	out := &favoriteManyOutput{}
	out.Body.Changed = n
	return out, nil
}

type verifyManyInput struct {
	Body struct {
		IDs []ID `json:"ids" minItems:"1"`
		MayDownload
	} `nameHint:"VerifyRequest"`
}

type verifyManyOutput struct {
	Body struct {
		Accepted int `json:"accepted" doc:"how many will be heard: finished generations of local voices"`
	} `nameHint:"VerifyResult"`
}

// verifyMany queues generations to be heard. Each has the field verifying until it was.
func (h *historyHandlers) verifyMany(ctx context.Context, in *verifyManyInput) (*verifyManyOutput, error) {
	ids := idStrings(in.Body.IDs)
	if in.Body.refused() {
		if err := h.speech.Proof.VerifiersInstalled(ctx, ids); err != nil {
			return nil, err
		}
	}
	n, err := h.speech.Generations.Checks.Verify(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := &verifyManyOutput{}
	out.Body.Accepted = n
	return out, nil
}

func (h *historyHandlers) deleteHistory(ctx context.Context, in *GenerationPath) (*struct{}, error) {
	n, err := h.speech.Generations.Archive.Delete(ctx, []string{string(in.ID)})
	if err == nil && n == 0 {
		_, err = h.speech.Generations.Generation(ctx, string(in.ID)) // returns generation_not_found
	}
	h.events.History(n)
	return nil, err
}

type deleteManyInput struct {
	Body struct {
		IDs []ID `json:"ids" minItems:"1" maxItems:"1000"`
	} `nameHint:"DeleteRequest"`
}

type deleteManyOutput struct {
	Body struct {
		Deleted int `json:"deleted"`
	} `nameHint:"DeleteResult"`
}

func (h *historyHandlers) deleteMany(ctx context.Context, in *deleteManyInput) (*deleteManyOutput, error) {
	n, err := h.speech.Generations.Archive.Delete(ctx, idStrings(in.Body.IDs))
	if err != nil {
		return nil, err
	}
	h.events.History(n)
	out := &deleteManyOutput{}
	out.Body.Deleted = n
	return out, nil
}

func idStrings(ids []ID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = string(id)
	}
	return out
}

type statsOutput struct {
	Body HistoryStats
}

func (h *historyHandlers) historyStats(ctx context.Context, _ *struct{}) (*statsOutput, error) {
	stats, err := h.store.Stats(ctx)
	return &statsOutput{HistoryStats(stats)}, err
}

// StorageUse is the disk space of some files.
type StorageUse struct {
	Files   int   `json:"files"`
	Bytes   int64 `json:"bytes"`
	Missing int   `json:"missing" doc:"generations and transcripts whose file is missing"`
}

// HistoryStorage is the disk space that the history uses, with that of the transcripts and the books.
type HistoryStorage struct {
	StorageUse
	Transcripts StorageUse `json:"transcripts" doc:"the part of the transcripts"`
	Books       BooksUse   `json:"books" doc:"the part of the audiobooks: their audio and covers"`
	VoicePrints StorageUse `json:"voice_prints" doc:"of known speakers, which are not part of the others"`
}

// BooksUse is the disk space of audiobooks.
type BooksUse struct {
	StorageUse
	TextBytes int64 `json:"text_bytes" doc:"of their manuscripts, which are in the database and not part of bytes"`
}

type storageOutput struct {
	Body HistoryStorage
}

func (h *historyHandlers) historyStorage(ctx context.Context, _ *struct{}) (*storageOutput, error) {
	spoken, err := h.speech.Generations.Archive.Storage(ctx)
	if err != nil {
		return nil, err
	}
	out := &storageOutput{}
	if h.transcriptions != nil {
		transcripts, err := h.transcriptions.Storage(ctx)
		if err != nil {
			return nil, err
		}
		out.Body.Transcripts = StorageUse(transcripts)
	}
	if h.voicePrints != nil {
		out.Body.VoicePrints.Files, out.Body.VoicePrints.Bytes = h.voicePrints.Use()
	}
	books := &out.Body.Books
	books.StorageUse = StorageUse(spoken.Books)
	covers := StorageUse{}
	if h.covers != nil {
		if covers.Files, covers.Bytes, err = h.covers.Use(); err != nil {
			return nil, err
		}
	}
	if books.TextBytes, err = h.store.BookTextBytes(ctx); err != nil {
		return nil, err
	}
	books.StorageUse = books.plus(covers)
	out.Body.StorageUse = StorageUse(spoken.Use).plus(out.Body.Transcripts).plus(covers)
	return out, nil
}

func (u StorageUse) plus(other StorageUse) StorageUse {
	return StorageUse{u.Files + other.Files, u.Bytes + other.Bytes, u.Missing + other.Missing}
}

// PeakCount is the number of peaks in a query; it is exported for huma.
type PeakCount struct {
	N int `query:"n" minimum:"1" maximum:"8000" default:"800"`
}

type peaksInput struct {
	GenerationPath
	PeakCount
}

type peaksOutput struct {
	Body struct {
		Peaks [][2]float32 `json:"peaks" doc:"lowest and highest sample of each part"`
	} `nameHint:"Peaks"`
}

func (h *historyHandlers) historyPeaks(ctx context.Context, in *peaksInput) (*peaksOutput, error) {
	return peaksAnswer(h.speech.Generations.Archive.Peaks(ctx, string(in.ID), in.N))
}

func peaksAnswer(peaks []audio.Peak, err error) (*peaksOutput, error) {
	if err != nil {
		return nil, err
	}
	out := &peaksOutput{}
	out.Body.Peaks = pairs(peaks)
	return out, nil
}

func pairs(peaks []audio.Peak) [][2]float32 {
	out := make([][2]float32, len(peaks))
	for i, p := range peaks {
		out[i] = [2]float32{p.Min, p.Max}
	}
	return out
}

func (h *historyHandlers) exportOne(w http.ResponseWriter, r *http.Request) {
	h.exports.sendSound(w, r, "generation_id", h.export.Generation)
}

func (h *scriptHandlers) exportScript(w http.ResponseWriter, r *http.Request) {
	h.exports.sendSound(w, r, "script_id", h.export.Script)
}

type exportManyInput struct {
	Body struct {
		IDs      []ID         `json:"ids" minItems:"1" maxItems:"1000"`
		Format   exportFormat `json:"format,omitempty"`
		Loudness *float64     `json:"loudness,omitempty" minimum:"-36" maximum:"-9" doc:"LUFS, with a true peak of at most -1 dB; absent: as it is"`
		Bitrate  int          `json:"bitrate,omitempty" minimum:"16" maximum:"320" doc:"kbit/s of mp3, opus and m4a; absent: the usual quality"`
		Names    []string     `json:"names,omitempty" maxItems:"1000" doc:"of the files, without extension, in the order of ids; absent or empty: as for one"`
		ExportID ID           `json:"export_id,omitempty" doc:"chosen by the caller, for the progress and to cancel it"`
	} `nameHint:"ExportRequest"`
}

// exportMany writes the zip before it responds, so that a failure has its own status.
func (h *historyHandlers) exportMany(ctx context.Context, in *exportManyInput) (*huma.StreamResponse, error) {
	ids := idStrings(in.Body.IDs)
	o := audio.ExportOptions{LUFS: in.Body.Loudness, BitRate: in.Body.Bitrate}
	need, err := h.export.ZipSize(ctx, ids, string(in.Body.Format), o)
	if err != nil {
		return nil, err
	}
	return h.temp.attachment(ctx, "voicewright.zip", need, func(w io.Writer) error {
		return h.exports.run(ctx, string(in.Body.ExportID), "body", func(ctx context.Context, report func(float64)) error {
			o.Progress = report
			return h.export.Zip(ctx, w, ids, in.Body.Names, string(in.Body.Format), o)
		})
	})
}

type exportIndexInput struct {
	HistoryFilter
	Format string `query:"format" enum:"csv,json" default:"csv"`
}

func (h *historyHandlers) exportIndex(ctx context.Context, in *exportIndexInput) (*huma.StreamResponse, error) {
	return h.temp.attachment(ctx, "history."+in.Format, 0, func(w io.Writer) error {
		return h.export.Index(ctx, w, in.GenerationFilter, in.Format)
	})
}
