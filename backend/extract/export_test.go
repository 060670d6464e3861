package extract

import (
	"context"

	"github.com/voicewright/voicewright/backend/extract/internal/parts"
)

// Limited returns an extractor of files that expand to at most n bytes.
func Limited(n int64) *Extractor { return &Extractor{limit: n} }

// LayOut returns the text of what pdftotext writes.
func LayOut(ctx context.Context, output []byte) (string, error) {
	o := &pdfOutput{limit: maxText, exceeded: func() {}}
	if _, err := o.Write(output); err != nil {
		return "", err
	}
	return pdfText(ctx, o.pages, parts.Counts{})
}
