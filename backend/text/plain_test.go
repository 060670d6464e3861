package text_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/text"
)

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"I paid $5 for a [[tomato|/təmˈɑːtoʊ/]], U.S.A.":  "I paid $5 for a tomato, U.S.A.",
		"[laugh] Well, [[nginx|engine ex]]s [[hˈaɪ]] go.": "Well, nginxs go.",
		"No <b>markup</b> [1] here":                       "No markup [1] here",
		"":                                                "",
	} {
		require.Equal(t, want, text.Plain(in))
	}
}
