package profiles

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/files"
)

// The names in the folder of a cloned profile.
const (
	statesName = "states" // what models computed from the samples
	sampleExt  = ".wav"
)

// folders hold the samples of the cloned profiles.
type folders struct{ o *Options }

// folder returns the folder of a profile's samples.
func (f *folders) folder(profileID string) string { return filepath.Join(f.o.Dir, profileID) }

// file returns the audio of a sample.
func (f *folders) file(profileID, id string) string {
	return filepath.Join(f.folder(profileID), id+sampleExt)
}

// states returns the folder in which models store what they compute from the samples of a profile.
func (f *folders) states(profileID string) string {
	return filepath.Join(f.folder(profileID), statesName)
}

// writeSample stores the audio of a sample and returns the SHA-256 of its samples.
func (f *folders) writeSample(profileID, id string, b audio.Buffer) (sum string, err error) {
	if err := os.MkdirAll(f.folder(profileID), 0o700); err != nil {
		return "", storeError(err)
	}
	pcm := audio.PCM16(nil, b.Samples)
	err = files.Replace(f.file(profileID, id), 0o600, func(f *os.File) error {
		if _, err := f.Write(audio.WAVHeader(b.Rate, 1, uint32(len(pcm)))); err != nil {
			return err
		}
		_, err := f.Write(pcm)
		return err
	})
	hash := sha256.Sum256(pcm)
	return hex.EncodeToString(hash[:]), storeError(err)
}

func storeError(err error) error {
	return backend.FileError("store a sample", "the data directory", err)
}

// removeSample removes the audio of a sample, and the folder with the last one.
func (f *folders) removeSample(profileID, id string) error {
	err := os.Remove(f.file(profileID, id))
	if os.IsNotExist(err) {
		err = nil
	}
	_ = os.Remove(f.folder(profileID)) // succeeds only when it is empty
	return backend.FileError("delete a sample", "the data directory", err)
}

// removeFolder removes the samples of a profile with everything that was computed from them. The folder is renamed first, so
// that nothing can be added while its files are removed.
func (f *folders) removeFolder(profileID string) error {
	doomed := filepath.Join(f.o.Dir, "deleted-"+f.o.NewID())
	err := os.Rename(f.folder(profileID), doomed)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		doomed = f.folder(profileID)
	}
	return backend.FileError("delete the samples of a profile", "the data directory", files.RemoveAll(doomed))
}

// Sweep removes the folders of profiles that no longer exist, audio without a sample, and temporary files. It is called before
// anything else uses the service.
func (f *folders) Sweep(ctx context.Context) error {
	entries, err := os.ReadDir(f.o.Dir)
	if os.IsNotExist(err) || len(entries) == 0 {
		return nil
	}
	if err != nil {
		return backend.FileError("read the samples", "the data directory", err)
	}
	known, err := f.o.Store.SampleIDs(ctx)
	if err != nil {
		return err
	}
	for _, e := range entries {
		f.sweepFolder(e.Name(), known[e.Name()])
	}
	f.trimStates()
	return nil
}

// maxStates is how many bytes all that models computed from samples may take at the start of the program. A long sample takes up
// to 75 MB for one model.
const maxStates = 2 << 30

// trimStates removes the files that models have stored and not used for longest, until the rest has at most maxStates bytes.
func (f *folders) trimStates() {
	names, err := fs.Glob(os.DirFS(f.o.Dir), path.Join("*", statesName, "*"))
	f.warn(err)
	present := map[string]fs.FileInfo{}
	for _, name := range names {
		path := filepath.Join(f.o.Dir, filepath.FromSlash(name))
		if info, err := os.Stat(path); err == nil {
			present[path] = info
		}
	}
	latest := slices.SortedFunc(maps.Keys(present), func(a, b string) int { return present[b].ModTime().Compare(present[a].ModTime()) })
	total := int64(0)
	for _, path := range latest {
		if total += present[path].Size(); total > maxStates {
			f.warn(files.RemoveAll(path))
		}
	}
}

// sweepFolder removes what does not belong into the folder of a profile with these samples. What cannot be removed is left for
// the next start.
func (f *folders) sweepFolder(name string, ids []string) {
	folder := filepath.Join(f.o.Dir, name)
	if len(ids) == 0 {
		f.warn(files.RemoveAll(folder))
		return
	}
	entries, err := os.ReadDir(folder)
	f.warn(err)
	for _, e := range entries {
		id, isSample := strings.CutSuffix(e.Name(), sampleExt)
		if e.Name() != statesName && (!isSample || !slices.Contains(ids, id)) {
			f.warn(files.RemoveAll(filepath.Join(folder, e.Name())))
		}
	}
}

func (f *folders) warn(err error) {
	if err != nil {
		f.o.Log.Warn("remove the files of a deleted sample", "error", err)
	}
}

// removeStates removes what models have stored of the samples of a profile.
func (f *folders) removeStates(profileID string) error {
	return backend.FileError("delete what was computed from a sample", "the data directory", files.RemoveAll(f.states(profileID)))
}
