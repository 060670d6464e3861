package chatterbox

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func TestSuite(t *testing.T) {
	recordings := [2]audio.Buffer{recording(t), recording(t)}
	slices.Reverse(recordings[1].Samples)
	for _, repo := range []string{turboRepo, multilingualRepo} {
		t.Run(filepath.Base(repo), func(t *testing.T) {
			d := NewDriver(library(t))
			files := enginetest.Find(t, d, kit(t, filepath.FromSlash(repo)))
			enginetest.RunCloner(t, func(t *testing.T) engines.Cloner {
				return enginetest.OpenFiles(t, d, files, engines.Options{Threads: 1}).(*Engine)
			}, recordings, enginetest.Suite{Text: "Hello there.", LongText: strings.Repeat("One, two, three and four. ", 40), Opens: 3})
		})
	}
}
