package httpapi

import (
	"context"
	"io"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
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

func (a *API) history(ctx context.Context, in *historyInput) (*historyOutput, error) {
	f := in.GenerationFilter
	f.Page, f.Brief = in.page(), !in.Full.Full
	list, err := a.opts.Store.Generations(ctx, f)
	if err != nil {
		return nil, err
	}
	return &historyOutput{mapList(list, func(hit backend.GenerationHit) GenerationRow {
		row := a.row(a.opts.Speech.Generations.Overlay(hit.Generation), in.Full.Full)
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

func (a *API) patchHistory(ctx context.Context, in *patchHistoryInput) (*generationOutput, error) {
	takes, err := takesOf(in.Body.Chunks)
	if err != nil {
		return nil, err
	}
	if len(takes) > 0 { // first, because it can fail
		if _, err := a.opts.Speech.Takes.ChooseTakes(ctx, string(in.ID), takes); err != nil {
			return nil, err
		}
	}
	g, err := a.opts.Store.PatchGeneration(ctx, string(in.ID), backend.GenerationPatch{
		Title: in.Body.Title, Favorite: in.Body.Favorite,
	})
	if err == nil {
		a.publishHistory(1)
	}
	return a.answer(http.StatusOK, g, err)
}

// historyChange is the data of the event for generations that were edited or deleted.
type historyChange struct {
	Changed int `json:"changed"`
}

func (a *API) publishHistory(n int) {
	if n > 0 {
		a.opts.Events.History(n)
	}
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

func (a *API) favoriteMany(ctx context.Context, in *favoriteManyInput) (*favoriteManyOutput, error) {
	n, err := a.opts.Store.FavoriteGenerations(ctx, idStrings(in.Body.IDs), in.Body.Favorite)
	if err != nil {
		return nil, err
	}
	a.publishHistory(n)
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
func (a *API) verifyMany(ctx context.Context, in *verifyManyInput) (*verifyManyOutput, error) {
	ids := idStrings(in.Body.IDs)
	if in.Body.refused() {
		if err := a.opts.Speech.Proof.VerifiersInstalled(ctx, ids); err != nil {
			return nil, err
		}
	}
	n, err := a.opts.Speech.Generations.Verify(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := &verifyManyOutput{}
	out.Body.Accepted = n
	return out, nil
}

func (a *API) deleteHistory(ctx context.Context, in *GenerationPath) (*struct{}, error) {
	n, err := a.opts.Speech.Generations.Delete(ctx, []string{string(in.ID)})
	if err == nil && n == 0 {
		_, err = a.opts.Speech.Generations.Generation(ctx, string(in.ID)) // returns generation_not_found
	}
	a.publishHistory(n)
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

func (a *API) deleteMany(ctx context.Context, in *deleteManyInput) (*deleteManyOutput, error) {
	n, err := a.opts.Speech.Generations.Delete(ctx, idStrings(in.Body.IDs))
	if err != nil {
		return nil, err
	}
	a.publishHistory(n)
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

func (a *API) historyStats(ctx context.Context, _ *struct{}) (*statsOutput, error) {
	stats, err := a.opts.Store.Stats(ctx)
	return &statsOutput{HistoryStats(stats)}, err
}

// StorageUse is the disk space of some files.
type StorageUse struct {
	Files   int   `json:"files"`
	Bytes   int64 `json:"bytes"`
	Missing int   `json:"missing" doc:"generations and transcripts whose file is missing"`
}

// HistoryStorage is the disk space that the history uses, with that of the transcripts.
type HistoryStorage struct {
	StorageUse
	Transcripts StorageUse `json:"transcripts" doc:"the part of the transcripts"`
}

type storageOutput struct {
	Body HistoryStorage
}

func (a *API) historyStorage(ctx context.Context, _ *struct{}) (*storageOutput, error) {
	spoken, err := a.opts.Speech.Generations.Storage(ctx)
	if err != nil {
		return nil, err
	}
	out := &storageOutput{}
	if a.opts.Transcriptions != nil {
		heard, err := a.opts.Transcriptions.Storage(ctx)
		if err != nil {
			return nil, err
		}
		out.Body.Transcripts = StorageUse(heard)
	}
	heard := out.Body.Transcripts
	out.Body.StorageUse = StorageUse{
		Files: spoken.Files + heard.Files, Bytes: spoken.Bytes + heard.Bytes, Missing: spoken.Missing + heard.Missing,
	}
	return out, nil
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

func (a *API) historyPeaks(ctx context.Context, in *peaksInput) (*peaksOutput, error) {
	return peaksAnswer(a.opts.Speech.Generations.Peaks(ctx, string(in.ID), in.N))
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

// exportTypes are the content types of exports other than audio.
var exportTypes = map[string]string{
	".srt": "application/x-subrip", ".vtt": "text/vtt; charset=utf-8", ".zip": "application/zip",
	".csv": "text/csv; charset=utf-8", ".json": "application/json", ".txt": "text/plain; charset=utf-8",
	".md": "text/markdown; charset=utf-8",
}

func (a *API) exportOne(w http.ResponseWriter, r *http.Request) {
	a.sendSound(w, r, "generation_id", a.opts.Export.Generation)
}

func (a *API) exportScript(w http.ResponseWriter, r *http.Request) {
	a.sendSound(w, r, "script_id", a.opts.Export.Script)
}

// sendExport responds with an export of the object in the path, in the format of the query.
func (a *API) sendExport(
	w http.ResponseWriter, r *http.Request, name, otherwise string, formats []string,
	export func(ctx context.Context, id, format string) (backend.ExportedFile, error),
) {
	id, err := pathID(r, name)
	var format string
	if err == nil {
		format, err = oneOf(r, "format", otherwise, formats...)
	}
	if err != nil {
		a.fail(w, r, err)
		return
	}
	e, err := export(r.Context(), id, format)
	a.sendFile(w, r, e, err)
}

// sendFile responds with a file, and closes it.
func (a *API) sendFile(w http.ResponseWriter, r *http.Request, e backend.ExportedFile, err error) {
	if err != nil {
		a.fail(w, r, err)
		return
	}
	defer e.Close()
	ext := filepath.Ext(e.Name)
	kind, ok := audioTypes[ext]
	if !ok {
		kind = exportTypes[ext]
	}
	f, err := os.Open(e.Path)
	if err != nil {
		a.fail(w, r, errAudioMissing.WithCause(err))
		return
	}
	defer func() { _ = f.Close() }()
	attach(w, e.Name, kind)
	a.serveContent(w, r, time.Time{}, f)
}

// attach sets the headers of a file that the browser saves.
func attach(w http.ResponseWriter, name, kind string) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	w.Header().Set("Cache-Control", "no-store")
}

// oneOf returns a query value from a fixed set, otherwise if it is absent.
func oneOf(r *http.Request, name, otherwise string, allowed ...string) (string, error) {
	value := r.URL.Query().Get(name)
	if value == "" {
		return otherwise, nil
	}
	for _, a := range allowed {
		if value == a {
			return value, nil
		}
	}
	return "", backend.Invalid("enum", "Input should be one of: "+strings.Join(allowed, ", "), "query", name)
}

func pathID(r *http.Request, name string) (string, error) {
	id, err := uuid.Parse(r.PathValue(name))
	if err != nil {
		return "", backend.Invalid("uuid_parsing", "Input should be a valid UUID", "path", name)
	}
	return id.String(), nil
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
func (a *API) exportMany(ctx context.Context, in *exportManyInput) (*huma.StreamResponse, error) {
	ids := idStrings(in.Body.IDs)
	o := audio.ExportOptions{LUFS: in.Body.Loudness, BitRate: in.Body.Bitrate}
	need, err := a.opts.Export.ZipSize(ctx, ids, string(in.Body.Format), o)
	if err != nil {
		return nil, err
	}
	return a.attachment(ctx, "voicewright.zip", need, func(w io.Writer) error {
		return a.exports.run(ctx, string(in.Body.ExportID), "body", func(ctx context.Context, report func(float64)) error {
			o.Progress = report
			return a.opts.Export.Zip(ctx, w, ids, in.Body.Names, string(in.Body.Format), o)
		})
	})
}

type exportIndexInput struct {
	HistoryFilter
	Format string `query:"format" enum:"csv,json" default:"csv"`
}

func (a *API) exportIndex(ctx context.Context, in *exportIndexInput) (*huma.StreamResponse, error) {
	return a.attachment(ctx, "history."+in.Format, 0, func(w io.Writer) error {
		return a.opts.Export.Index(ctx, w, in.GenerationFilter, in.Format)
	})
}
