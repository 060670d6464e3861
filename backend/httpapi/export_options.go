package httpapi

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// sendSound is sendExport for speech, with the options of the query.
func (x *exports) sendSound(
	w http.ResponseWriter, r *http.Request, name string,
	export func(ctx context.Context, id, format string, o audio.ExportOptions) (backend.ExportedFile, error),
) {
	o, err := exportOptions(r)
	if err != nil {
		x.fail(w, r, err)
		return
	}
	x.sendExport(w, r, name, "", backend.ExportFormats(), func(ctx context.Context, id, format string) (out backend.ExportedFile, err error) {
		err = x.run(ctx, r.URL.Query().Get("export_id"), "query", func(ctx context.Context, report func(float64)) error {
			o.Progress = report
			out, err = export(ctx, id, format, o)
			return err
		})
		return out, err
	})
}

// The limits of the options of an export, in LUFS and kbit/s.
const (
	minLoudness, maxLoudness = -36, -9
	minBitRate, maxBitRate   = 16, 320
)

// exportOptions returns the options of an export in the query.
func exportOptions(r *http.Request) (o audio.ExportOptions, err error) {
	loudness, bitRate := r.URL.Query().Get("loudness"), r.URL.Query().Get("bitrate")
	if loudness != "" {
		lufs, err := strconv.ParseFloat(loudness, 64)
		if err != nil || math.IsNaN(lufs) {
			return o, backend.Invalid("float_parsing", "Input should be a valid number", "query", "loudness")
		}
		if err := between(lufs, minLoudness, maxLoudness, "loudness"); err != nil {
			return o, err
		}
		o.LUFS = &lufs
	}
	if bitRate != "" {
		if o.BitRate, err = strconv.Atoi(bitRate); err != nil {
			return o, backend.Invalid("int_parsing", "Input should be a valid integer", "query", "bitrate")
		}
		err = between(float64(o.BitRate), minBitRate, maxBitRate, "bitrate")
	}
	return o, err
}

// between returns an error for a query value that is out of range.
func between(value, low, high float64, name string) error {
	switch {
	case value < low:
		return backend.Invalid("greater_than_equal", fmt.Sprintf("Input should be greater than or equal to %v", low), "query", name)
	case value > high:
		return backend.Invalid("less_than_equal", fmt.Sprintf("Input should be less than or equal to %v", high), "query", name)
	default:
		return nil
	}
}

// exportParams documents the options of an exported audio file.
func exportParams(op *huma.Operation) {
	number := func(name, typ string, low, high float64, doc string) *huma.Param {
		return &huma.Param{Name: name, In: "query", Description: doc, Schema: &huma.Schema{Type: typ, Minimum: &low, Maximum: &high}}
	}
	op.Parameters = append(op.Parameters,
		&huma.Param{
			Name: "export_id", In: "query", Schema: &huma.Schema{Type: huma.TypeString, Format: "uuid"},
			Description: "chosen by the caller: the events `export` with it tell the progress, and `DELETE /exports/{export_id}` cancels",
		},
		number("loudness", huma.TypeNumber, minLoudness, maxLoudness, "LUFS, with a true peak of at most -1 dB; absent: as it is"),
		number("bitrate", huma.TypeInteger, minBitRate, maxBitRate, "kbit/s of mp3, opus and m4a; absent: the usual quality"))
}
