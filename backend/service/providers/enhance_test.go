package providers_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service/enhance"
	"github.com/voicewright/voicewright/backend/service/providers"
)

// A voice without tags speaks an enhanced text like the text before it was enhanced.
func TestTagsOfEnhanceAreDropped(t *testing.T) {
	for _, text := range []string{
		"Oh no! I lost my keys again. Haha, that's so funny! \"Come here,\" she whispered. Why would you do that?",
		"He shouted: “Run!” Everyone ran... I am so tired.\n\nWhat a wonderful surprise! Sadly, it was over. Ugh.",
		"I can't believe it!!! We won! (He laughed.) Shh, be quiet. I'm sorry for your loss. [1] is a note.",
	} {
		enhanced, err := enhance.Enhancer{}.Enhance(t.Context(), text, nil)
		require.NoError(t, err)
		require.NotEqual(t, text, enhanced)
		require.Equal(t, strings.Fields(text), strings.Fields(providers.DropTags(enhanced)), enhanced)
	}
}
