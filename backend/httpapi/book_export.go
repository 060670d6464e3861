package httpapi

import (
	"context"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/bookexport"
)

// bookExportHandlers are the routes of books as files.
type bookExportHandlers struct {
	service *bookexport.Service
	exports *exports
	temp    *tempFiles
}

func (h *bookExportHandlers) routes(r *router) {
	if h.service == nil {
		return
	}
	r.file("/books/{book_id}/export", "export-book", "Export a book as m4b, or as a zip with a file for each chapter", h.export,
		returnsFile("audio/mp4", "application/zip"),
		queryParam("format", "absent: m4b; others: a zip with a file for each chapter", bookexport.Formats()...), bookExportParams,
		describe("m4b is one file, and a zip of parts for more than 24 hours; it needs ffmpeg. Each voice has one level over the whole book."))
	get(r, "/books/{book_id}/export/size", "book-export-size", "How large an exported book would be", h.size)
}

// bookExportParams documents the options of an exported book, whose loudness is that of its voices.
func bookExportParams(op *huma.Operation) {
	exportParams(op)
	op.Parameters = slices.DeleteFunc(op.Parameters, func(p *huma.Param) bool { return p.Name == "loudness" })
}

func (h *bookExportHandlers) export(w http.ResponseWriter, r *http.Request) {
	out, err := h.exported(r)
	h.exports.sendFile(w, r, out, err)
}

func (h *bookExportHandlers) exported(r *http.Request) (out backend.ExportedFile, err error) {
	id, err := pathID(r, "book_id")
	if err != nil {
		return out, err
	}
	format, err := oneOf(r, "format", audio.FormatM4B, bookexport.Formats()...)
	if err != nil {
		return out, err
	}
	o, err := exportOptions(r)
	if err != nil {
		return out, err
	}
	err = h.exports.run(r.Context(), r.URL.Query().Get("export_id"), "query", func(ctx context.Context, report func(float64)) error {
		job, err := h.service.Prepare(ctx, id, format, o.BitRate)
		if err != nil {
			return err
		}
		if err := h.temp.checkSpace(ctx, "The export", job.Bytes); err != nil {
			return err
		}
		out, err = job.Write(ctx, inSteps(report))
		return err
	})
	return out, err
}

// inSteps reports progress in steps of a hundredth. nil: nobody wants to know.
func inSteps(report func(share float64)) func(share float64) {
	if report == nil {
		return nil
	}
	const step = 0.01
	told := 0.0
	return func(share float64) {
		if share >= told+step && share < 1 {
			told = share
			report(share)
		}
	}
}

type bookSizeInput struct {
	BookPath
	Format  string `query:"format" enum:"m4b,wav,mp3,flac,opus,m4a" default:"m4b"`
	BitRate int    `query:"bitrate" minimum:"16" maximum:"320" doc:"kbit/s; absent: the usual quality"`
}

type bookSizeOutput struct {
	Body struct {
		Bytes   int64   `json:"bytes" doc:"about"`
		Seconds float64 `json:"seconds"`
	} `nameHint:"BookExportSize"`
}

func (h *bookExportHandlers) size(ctx context.Context, in *bookSizeInput) (*bookSizeOutput, error) {
	job, err := h.service.Prepare(ctx, string(in.ID), in.Format, in.BitRate)
	if err != nil {
		return nil, err
	}
	out := &bookSizeOutput{}
	out.Body.Bytes, out.Body.Seconds = job.Bytes, job.Seconds
	return out, nil
}
