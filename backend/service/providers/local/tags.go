package local

import (
	"slices"

	"github.com/voicewright/voicewright/backend/service/providers"
	"github.com/voicewright/voicewright/backend/text"
)

// withoutTags returns a text without the audio tags that the engine does not play.
func (s speaking) withoutTags(written string) string {
	return providers.DropTagsExcept(written, func(tag string) bool {
		return slices.Contains(s.info.Tags, text.Speak(tag, text.SpeakOptions{Tags: s.info.Tags}).Text)
	})
}
