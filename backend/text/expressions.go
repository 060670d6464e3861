package text

import (
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend/text/internal/markup"
)

// ExpressionForms returns all forms of the expressions that an engine plays, such as laugh, laughs and laughing for <laugh>, sorted.
// In square brackets, they are spoken as tags.
func ExpressionForms(tags []string) []string {
	forms := []string{}
	for _, tag := range tags {
		forms = append(forms, markup.Forms(markup.ExpressionName(strings.Trim(tag, "[]<>")))...)
	}
	slices.Sort(forms)
	return slices.Compact(forms)
}
