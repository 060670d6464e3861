package httpapi

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/danielgtaylor/huma/v2"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/batch"
)

// The limits of a list that is imported in the page; the command line has none.
const (
	maxListBytes = 16_000_000
	maxListRows  = 10_000
)

type batchParseInput struct {
	RawBody huma.MultipartFormFiles[struct {
		File     huma.FormFile `form:"file" required:"true" doc:"a .csv, .jsonl or .txt file of up to 16 MB and 10,000 rows"`
		Encoding string        `form:"encoding" required:"false" doc:"character encoding of the file, such as windows-1251; default: the one that is found"`
	}]
}

type batchParseOutput struct {
	Body struct {
		Items []batch.Row `json:"items" doc:"all rows in their order, also those with a problem"`
		Total int         `json:"total"`
		Bad   int         `json:"bad" doc:"rows with a problem"`

		Encoding string `json:"encoding" doc:"character encoding that the file was read in, such as UTF-8 or windows-1251"`
		Guessed  bool   `json:"encoding_guessed" doc:"the encoding is the one that the file looks like, as it does not name one"`
	} `nameHint:"ParsedBatch"`
}

// batchParse reads a list of texts; nothing is stored.
func (h *textHandlers) batchParse(ctx context.Context, in *batchParseInput) (*batchParseOutput, error) {
	form := in.RawBody.Data()
	defer func() { _ = form.File.Close() }()
	r, err := batch.NewReader(form.File.Filename, form.Encoding, form.File)
	if err != nil {
		return nil, err
	}
	out := &batchParseOutput{}
	out.Body.Items, out.Body.Encoding, out.Body.Guessed = []batch.Row{}, r.Encoding, r.Guessed
	for ctx.Err() == nil {
		row, err := r.Next()
		if errors.Is(err, io.EOF) {
			if out.Body.Total = len(out.Body.Items); out.Body.Total == 0 {
				return nil, batch.ErrNoRows
			}
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		if row.Number > maxListRows {
			return nil, backend.E(backend.CodeUnsupportedMedia, fmt.Sprintf("The list has more than %d rows.", maxListRows),
				"Split it, or use voicewright say --batch.").With("reason", "too_long")
		}
		if row.Problem != "" {
			out.Body.Bad++
		}
		out.Body.Items = append(out.Body.Items, row)
	}
	return nil, backend.ErrCancelled.WithCause(ctx.Err())
}
