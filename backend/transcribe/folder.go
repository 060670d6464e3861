package transcribe

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
)

// folder is where the audio of transcripts is stored.
type folder struct{ o Options }

// tempDir returns the folder for unfinished files: on the disk of the audio, and emptied at each start.
func (f *folder) tempDir() string {
	dir := filepath.Join(f.o.Dir, "unfinished")
	_ = os.MkdirAll(dir, 0o700) // creating a file in it reports the error
	return dir
}

// deletions are the notes of transcripts that are deleted with their audio.
func (f *folder) deletions() files.Deletions {
	return files.Deletions{Notes: f.tempDir(), Root: f.o.Dir, Log: f.o.Log}
}

// finishDeletions removes the audio of transcripts whose rows were deleted when the program was killed.
func (f *folder) finishDeletions(ctx context.Context) error {
	err := f.deletions().Finish(func(id string) (bool, error) {
		_, err := f.o.Store.Transcript(ctx, id)
		if backend.CodeOf(err) == backend.CodeTranscriptNotFound {
			return false, nil
		}
		return true, err
	})
	return backend.FileError("remove the audio of what was deleted", "the data directory", err)
}

// temp returns the path of the audio that a job transcribes: mono, 16-bit WAV at the rate of the engines.
func (f *folder) temp(j *job) string { return filepath.Join(f.tempDir(), j.id+".wav") }

// audio returns the path of the audio that a job transcribes, once it was read.
func (f *folder) audio(j *job) string {
	if j.own {
		return f.temp(j)
	}
	return j.snapshot().AudioPath
}

// path returns the path of the stored audio of a transcript in a format.
func (f *folder) path(t backend.Transcript, format string) string {
	return filepath.Join(f.o.Dir, t.CreatedAt.UTC().Format("2006-01"), t.ID+"."+format)
}

// removeOthers removes the files of a transcript that its row does not name: what a crash left before the row was written.
func (f *folder) removeOthers(t backend.Transcript) {
	dir := filepath.Dir(f.path(t, backend.FormatWAV))
	names, err := fs.Glob(os.DirFS(dir), t.ID+".*")
	if err != nil {
		f.o.Log.Warn("find what a crash left of a transcript", "id", t.ID, "error", err)
	}
	for _, name := range names {
		if name != filepath.Base(t.AudioPath) {
			f.removeFile(filepath.Join(dir, name))
		}
	}
}

// compress stores the audio of a job as Opus. It is made among the unfinished files, where a killed program leaves nothing for good.
func (f *folder) compress(ctx context.Context, j *job, path string) error {
	temp := filepath.Join(f.tempDir(), j.id+"."+backend.FormatOpus)
	defer f.removeFile(temp) // after success there is none
	if err := f.o.Codecs.Encode(ctx, f.audio(j), temp, backend.FormatOpus, nil); err != nil {
		return err
	}
	return backend.FileError("store the audio", "the data directory", files.Move(temp, path))
}

// removeTemp removes the temporary file of a job.
func (f *folder) removeTemp(j *job) { f.removeFile(f.temp(j)) }

// removeAudio removes the stored audio of a transcript.
func (f *folder) removeAudio(t backend.Transcript) { f.removeFile(t.AudioPath) }

// removeFile removes a file if there is one.
func (f *folder) removeFile(path string) {
	if path == "" {
		return
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		f.o.Log.Warn("remove the audio of a transcript", "error", err)
	}
}
