package hosted

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/backend/hosted/client"
)

// store fetches the audio of a paid part, unless it is stored.
func (t *speechTask) store(ctx context.Context, p *part) error {
	if !p.in(backend.HostedStored) {
		if err := t.fetch(ctx, p); err != nil {
			return err
		}
	}
	t.done++
	t.report(nil)
	if t.h.Stored != nil {
		t.h.Stored(p.n, audioOf(p))
	}
	return nil
}

// fetch stores the audio of a part. One that the service has deleted is marked, so that the next Speak pays for it again.
func (t *speechTask) fetch(ctx context.Context, p *part) error {
	path := t.fileOf(p)
	if err := os.MkdirAll(t.s.partsDir(t.h.GenerationID), 0o700); err != nil {
		return backend.FileError("make the folder of the audio", "the data directory", err)
	}
	fetched, err := t.s.o.Client.Fetch(ctx, p.row.URL, path)
	if err != nil {
		return t.notFetched(ctx, p, err)
	}
	if err := checkAudio(path, p.row.Format, fetched.ContentType); err != nil { // of a proxy, perhaps: the link is kept
		return errors.Join(errNotAudio(err), os.Remove(path))
	}
	p.row.State, p.row.URL, p.row.File, p.row.SHA256 = backend.HostedStored, "", path, fetched.SHA256
	return t.record(ctx, p)
}

// checkAudio returns why a file is no audio of a format. contentType is what it was sent as: samples have no other sign.
func checkAudio(path, format, contentType string) error {
	if strings.HasPrefix(contentType, "text/") {
		return errors.New("it is text")
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	if suffix(format) == ".mp3" {
		info, err := audio.ProbeMP3(f)
		if err == nil && info.Frames == 0 {
			err = errors.New("it has no samples")
		}
		return err
	}
	info, err := f.Stat()
	if err == nil && info.Size() == 0 {
		err = errors.New("it is empty")
	}
	return err
}

// linkLife is how long the service keeps the audio at its link.
const linkLife = 24 * time.Hour

// notFetched records a link that has expired, and returns the error of the download.
func (t *speechTask) notFetched(ctx context.Context, p *part, cause error) error {
	err := client.AsError(cause)
	var failed *client.Error
	isOld := t.s.o.Now().Sub(p.row.UpdatedAt) > linkLife // some stores then answer 403 for good
	switch {
	case err.Code == backend.CodeHostedLinkExpired, isOld && errors.As(cause, &failed) && failed.Status/100 == 4:
		err = errLinkExpired()
		p.row.State, p.row.URL = backend.HostedExpired, ""
		return errors.Join(err, t.record(ctx, p))
	case errors.As(cause, &failed) && err.Code != backend.CodeCancelled:
		return errUnfetched(err)
	}
	return err
}

// check marks a stored part whose file is gone or damaged, so that it is paid again. The file is always one of this generation,
// whatever its row says.
func (t *speechTask) check(ctx context.Context, p *part) error {
	p.row.File = filepath.Join(t.s.partsDir(t.h.GenerationID), filepath.Base(p.row.File))
	sum, err := files.SHA256(ctx, p.row.File)
	switch {
	case err == nil && sum == p.row.SHA256:
		return nil
	case ctx.Err() != nil:
		return backend.ErrCancelled.WithCause(ctx.Err())
	}
	p.row.State, p.row.File, p.row.SHA256 = backend.HostedExpired, "", ""
	return t.record(ctx, p)
}
