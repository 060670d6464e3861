package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
)

const exportID = "0192f000-0000-7000-8000-0000000000aa"

// exportEvents returns the next event of the export: its status and progress.
func exportEvents(t *testing.T, next func() (name, data string)) func() (string, float64) {
	return func() (string, float64) {
		for {
			name, data := next()
			if name != "export" {
				continue
			}
			var e struct {
				ID, Status string
				Progress   float64
			}
			require.NoError(t, json.Unmarshal([]byte(data), &e))
			require.Equal(t, exportID, e.ID)
			return e.Status, e.Progress
		}
	}
}

// longGeneration returns a generation whose file has hours of silence.
func (s *studio) longGeneration(t *testing.T, hours int64) string {
	t.Helper()
	g := s.speak("Hello there.", "")
	path := g["audio_path"].(string)
	header := audio.WAVHeader(22050, 1, uint32(hours*3600*22050*2))
	require.NoError(t, os.WriteFile(path, header, 0o600))
	require.NoError(t, os.Truncate(path, int64(len(header))+hours*3600*22050*2))
	return g["id"].(string)
}

func TestProgressOfExports(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	g := s.speak("Hello there.", "")["id"].(string)
	next := exportEvents(t, s.listen())
	for method, path := range map[string]string{"GET": "/history/" + g + "/export?format=m4a&loudness=-20&export_id=" + exportID, "POST": "/history/export"} {
		done := s.do(method, path, fmt.Sprintf(`{"ids":[%q],"format":"mp3","export_id":%q}`, g, exportID))
		require.Equal(t, 200, done.StatusCode, done.body)
		before := 0.0
		for status := "exporting"; status == "exporting"; {
			var progress float64
			status, progress = next()
			require.Contains(t, []string{"exporting", "complete"}, status)
			require.GreaterOrEqual(t, progress, before)
			before = progress
		}
		require.InDelta(t, 1, before, 1e-9)
	}
	require.Equal(t, "not_in_progress", s.do("DELETE", "/exports/"+exportID, "").object(t)["code"])
	require.Equal(t, 422, s.do("GET", "/history/"+g+"/export?export_id=x", "").StatusCode)
	require.Equal(t, 422, s.do("DELETE", "/exports/x", "").StatusCode)

	long := s.longGeneration(t, 9)
	ended := make(chan answer)
	go func() { ended <- s.do("GET", "/history/"+long+"/export?format=m4a&export_id="+exportID, "") }()
	for progress := 0.0; progress == 0; {
		var status string
		status, progress = next()
		require.Equal(t, "exporting", status)
	}
	again := s.do("GET", "/history/"+long+"/export?format=m4a&export_id="+exportID, "")
	require.Equal(t, 422, again.StatusCode, "the id is in use")
	require.Contains(t, again.body, `"loc":["query","export_id"]`)
	many := s.do("POST", "/history/export", fmt.Sprintf(`{"ids":[%q],"format":"mp3","export_id":%q}`, g, exportID))
	require.Equal(t, 422, many.StatusCode, "the id is in use")
	require.Contains(t, many.body, `"loc":["body","export_id"]`)
	require.Equal(t, 204, s.do("DELETE", "/exports/"+exportID, "").StatusCode)
	cancelled := <-ended
	require.Equal(t, 499, cancelled.StatusCode, cancelled.body)
	require.Equal(t, "cancelled", cancelled.object(t)["code"])
	for status := "exporting"; status != "cancelled"; status, _ = next() {
		require.Contains(t, []string{"exporting", "cancelled"}, status)
	}
	s.noExportLeft(t)
}

// TestPanicInAnExport: its watchers learn that it failed, and its id is free again.
func TestPanicInAnExport(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	next, exports := exportEvents(t, s.listen()), s.api.NewExports()
	for range 2 {
		require.PanicsWithValue(t, "broken", func() {
			_ = exports.Run(t.Context(), exportID, func(context.Context, func(float64)) error { panic("broken") })
		})
		status, _ := next()
		for status == "exporting" {
			status, _ = next()
		}
		require.Equal(t, "failed", status)
	}
}
