package pdf

import (
	"context"

	"github.com/voicewright/voicewright/backend/extract/internal/parts"
)

// LayOut returns the text of what pdftotext writes.
func LayOut(ctx context.Context, written []byte) (string, error) {
	o := &output{limit: 64_000_000, exceeded: func() {}}
	if _, err := o.Write(written); err != nil {
		return "", err
	}
	return textOf(ctx, o.pages, parts.Counts{})
}
