package models

import (
	"cmp"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/engines"
)

// Listening is what a transcription model has to do.
type Listening struct {
	Language  string // BCP 47; empty while it is unknown, which a model of one language cannot serve
	Translate bool   // into English
}

// InstalledTranscriber returns the name of an installed transcription model that can do the work: preferred where that can, else
// the largest one that fits into the free memory, else the smallest of those that may fit. It is empty where there is none.
func (m *listing) InstalledTranscriber(preferred string, work Listening) string {
	m.refresh()
	m.checkMissing()
	total, free, known := m.o.Memory()
	m.mu.Lock()
	defer m.unlock()
	var roomy, tight []*model
	for _, md := range m.order {
		if !m.listens(md, work) {
			continue
		}
		if md.entry.Name == preferred {
			return preferred
		}
		switch fits(md, total, free, known) {
		case backend.FitsNo:
		case backend.FitsTight:
			tight = append(tight, md)
		default:
			roomy = append(roomy, md)
		}
	}
	bySize := func(a, b *model) int { return cmp.Compare(a.diskBytes(), b.diskBytes()) }
	switch {
	case len(roomy) > 0:
		return slices.MaxFunc(roomy, bySize).entry.Name
	case len(tight) > 0:
		return slices.MinFunc(tight, bySize).entry.Name
	}
	return ""
}

// listens reports whether a model is installed and can do the work; mu is held.
func (m *listing) listens(md *model, work Listening) bool {
	e := md.entry
	switch {
	case e.Family != registry.Transcription, !md.state.OnDisk(), !m.canOpen(e.Engine), m.checkLicense(md, false) != nil:
		return false
	case work.Translate && (len(e.Languages) == 1 || e.Translator != ""): // was not trained for it
		return false
	case work.Language == "":
		return len(e.Languages) != 1
	}
	return len(e.Languages) == 0 ||
		slices.ContainsFunc(e.Languages, func(tag string) bool { return engines.SameLanguage(tag, work.Language) })
}

// diskBytes returns the size of a model's files; mu is held.
func (md *model) diskBytes() int64 { return max(md.bytes, md.variant.Bytes()) }

// Installed returns why a model would have to be downloaded before its use, nil where it would not. Errors: model_unknown,
// runtime_missing where this build cannot open it, model_not_downloaded with the parameters model_name, display_name and size_mb,
// model_corrupt for an imported model.
func (m *listing) Installed(name string) error {
	m.refresh()
	m.checkMissing()
	m.mu.Lock()
	defer m.unlock()
	md, err := m.find(name)
	switch {
	case err != nil:
		return err
	case !m.canOpen(md.entry.Engine): // a download would be useless
		return errNoDriver(md.entry)
	case md.state.OnDisk():
		return nil
	case imported(md.variant):
		return errNotLoadable(md)
	default:
		return errNotDownloaded(md)
	}
}
