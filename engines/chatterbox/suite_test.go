package chatterbox

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// spoken is an engine whose only voice is that of a reference.
type spoken struct {
	*Engine
	ref *engines.Reference
}

func (s spoken) Info() engines.Info {
	info := s.Engine.Info()
	info.Voices = []engines.Voice{{ID: "sample", Name: "Sample", Language: "en"}}
	return info
}

func (s spoken) Speak(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
	if u.Voice == "" || u.Voice == "sample" {
		u.Voice, u.Reference = "", s.ref
	}
	return s.Engine.Speak(ctx, u, emit)
}

func TestSuite(t *testing.T) {
	ref := sample(t)
	for _, repo := range []string{turboRepo, multilingualRepo} {
		t.Run(filepath.Base(repo), func(t *testing.T) {
			d := NewDriver(library(t))
			files := enginetest.Find(t, d, kit(t, filepath.FromSlash(repo)))
			enginetest.Run(t, func(t *testing.T) engines.Speaker {
				return spoken{enginetest.OpenFiles(t, d, files, engines.Options{Threads: 1}).(*Engine), ref}
			}, enginetest.Suite{Text: "Hello there.", LongText: strings.Repeat("One, two, three and four. ", 40), Opens: 20})
		})
	}
}
