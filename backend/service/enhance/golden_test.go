package enhance_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/enhance"
)

var update = flag.Bool("update", false, "write the golden files")

// TestGolden enhances small texts. The first line of each names the category and language of the voice, - is no category.
func TestGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(paths), 15)
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			content, err := os.ReadFile(path)
			require.NoError(t, err)
			head, text, _ := strings.Cut(string(content), "\n")
			category, language, _ := strings.Cut(head, " ")
			var voice *service.Voice
			if category != "-" || language != "en" {
				voice = &service.Voice{Category: strings.Trim(category, "-"), Language: language}
			}
			got, err := enhance.Enhancer{}.Enhance(t.Context(), text, voice)
			require.NoError(t, err)
			golden := strings.TrimSuffix(path, ".txt") + ".golden"
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(got), 0o600))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), got)
		})
	}
}
