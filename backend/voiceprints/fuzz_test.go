package voiceprints

import (
	"encoding/json"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzPerson reads any file as that of a known speaker: what is read can be shown, compared, stored again and forgotten.
func FuzzPerson(f *testing.F) {
	head := `{"version":1,"id":"id-1","name":"Zoë","consent":{"kind":"own_voice"},"model":"m","recordings":`
	f.Add([]byte(head + `[{"transcript":"t","seconds":3,"print":[0.5,-0.25]},{"transcript":"u","seconds":4.5,"print":[0.25,1]}]}`))
	f.Add([]byte(head + `[{"seconds":1e308,"print":[1e38]},{"seconds":1e308,"print":[0]}]}`))
	f.Add([]byte(head + `[{"seconds":1e-300,"print":[1e-45]}]}`))
	f.Add([]byte(head + `[{"seconds":3,"print":[1]},{"seconds":3,"print":[-1]}]}`))
	f.Add([]byte(head + `[{"seconds":3,"print":[1]},{"seconds":3,"print":[1,2]}]}`))
	f.Add([]byte(head + `[]}`))
	f.Add([]byte(strings.Replace(head, "id-1", "../../id-1", 1) + `[{"seconds":3,"print":[1]}]}`))
	f.Add([]byte(strings.Replace(head, "Zoë", " ", 1) + `[{"seconds":3,"print":[1]}]}`))
	f.Add([]byte(strings.Replace(head, `"version":1`, `"version":2`, 1) + `[{"seconds":3,"print":[1]}]}`))
	f.Add([]byte("{"))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, raw []byte) {
		path := filepath.Join(dir, "id-1"+extension)
		require.NoError(t, os.WriteFile(path, raw, 0o600))
		p, err := read(path)
		s := Open(dir, filepath.Join(dir, "former"), slog.New(slog.DiscardHandler))
		if err != nil || p.ID != "id-1" {
			require.Empty(t, s.list(""))
			require.NoError(t, s.forget("id-1"), "what cannot be read can be forgotten")
			return
		}
		known := s.list(p.Model)
		require.Len(t, known, 1)
		require.NotEmpty(t, strings.TrimSpace(known[0].Name))
		require.Positive(t, known[0].Seconds)
		_, err = json.Marshal(known)
		require.NoError(t, err)

		voice := make([]float32, len(p.Recordings[0].Print))
		voice[0] = 1
		m := s.nearest(p.Model, voice)
		require.False(t, math.IsNaN(m.Cosine) || math.Abs(m.Cosine) > 1.0001, m.Cosine)

		_, err = s.rename(p.ID, "Anna", p.UpdatedAt)
		require.NoError(t, err)
		again, err := read(path)
		require.NoError(t, err, "what is stored can be read")
		p.Name = "Anna"
		require.Equal(t, p.view(p.Model), again.view(p.Model))
		require.Equal(t, p.Recordings, again.Recordings)
		require.NoError(t, s.forget(p.ID))
		require.NoFileExists(t, path)
	})
}
