package hosted

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/backend/folding"
)

// maxListFile is the size of the file of voices in bytes that is read.
const maxListFile = 32 << 20

func (s *voiceList) listFile() string { return filepath.Join(s.dir, "voices.json") }

// kept returns the catalogue of an account that was read last, also before the program was started; nil where there is none.
func (s *voiceList) kept(account string) *catalogue {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.voices.read {
		s.voices.read = true
		s.voices.list = s.readList()
	}
	if list := s.voices.list; list != nil && list.Account == account {
		return list
	}
	return nil
}

// readList returns the catalogue in the file, nil where there is none.
func (s *voiceList) readList() *catalogue {
	raw, err := readLimited(s.listFile(), maxListFile)
	var list catalogue
	if err == nil {
		err = json.Unmarshal(raw, &list)
	}
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			s.o.Log.Warn("the kept voices of the hosted service cannot be read", "error", err)
		}
		return nil
	}
	list.prepare()
	return &list
}

// keep makes a catalogue the present one, here and in the file.
func (s *voiceList) keep(list *catalogue) {
	list.prepare()
	s.mu.Lock()
	s.voices.read, s.voices.list = true, list
	s.mu.Unlock()
	raw, err := json.Marshal(list)
	if err == nil {
		err = errors.Join(os.MkdirAll(s.dir, 0o700), files.Write(s.listFile(), raw, 0o600))
	}
	if err != nil {
		s.o.Log.Warn("the voices of the hosted service were not kept", "error", err)
	}
}

// prepare fills what is derived from the voices.
func (c *catalogue) prepare() {
	c.folded, c.byID = make([]string, len(c.Voices)), make(map[string]int, len(c.Voices))
	for i, v := range c.Voices {
		c.folded[i], c.byID[v.ID] = searchable(v), i
	}
}

// searchable returns the text in which a voice is searched.
func searchable(v backend.HostedVoice) string {
	return folding.Key(strings.Join([]string{v.Name, v.Provider, v.Accent, v.Category, v.Language, string(v.Gender)}, " "))
}

// readLimited returns the content of a file of at most limit bytes.
func readLimited(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.Size() > limit:
		return nil, errors.New("the file is too large")
	}
	return os.ReadFile(path)
}
