package httpapi

import (
	"fmt"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/printable"
)

// The limits of what an error repeats of a request, so that a large wrong request has a small answer.
const (
	maxFieldErrors = 20
	maxErrorText   = 2000 // bytes of a sentence, of a parameter and of a part of a place
)

// newInvalid returns the response for wrong fields: the first of them, and how many others there are.
func newInvalid(fields []backend.FieldError) *Invalid {
	shown := slices.Clone(fields[:min(len(fields), maxFieldErrors)])
	for i := range shown {
		f := &shown[i]
		f.Msg, f.Loc = cutText(f.Msg), slices.Clone(f.Loc)
		for j, part := range f.Loc {
			f.Loc[j] = cutText(part)
		}
	}
	if more := len(fields) - len(shown); more > 0 {
		shown = append(shown, backend.FieldError{
			Loc: shown[0].Loc[:1], Msg: fmt.Sprintf("%d more values are wrong", more), Type: "too_many_errors",
		})
	}
	return &Invalid{Detail: shown}
}

// cutText shortens a long text to maxErrorText bytes, in whole characters.
func cutText(s string) string {
	if len(s) <= maxErrorText {
		return s
	}
	return printable.FirstBytes(s, maxErrorText-len("…")) + "…"
}

// cutParam returns a parameter of an error, a long text shortened.
func cutParam(value any) any {
	if text, ok := value.(string); ok {
		return cutText(text)
	}
	return value
}
