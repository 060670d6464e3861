package espeak_test

import (
	"strings"
	"testing"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/espeak"
)

func TestSuite(t *testing.T) {
	enginetest.Run(t, func(*testing.T) engines.Speaker { return espeak.New() }, enginetest.Suite{
		Text:     "Hello there.",
		LongText: strings.Repeat("One, two, three and four. ", 12),
	})
}
