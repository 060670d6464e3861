package files

import (
	"context"
	"fmt"

	"github.com/voicewright/voicewright/backend"
)

const (
	spaceStep = 64_000_000 // bytes that are written between two looks at the disk
	spareDisk = 50_000_000 // bytes that stay free on the disk for everything else
)

// FreeSpace returns the free bytes of the disk of a folder; known is false where that cannot be told.
type FreeSpace func(ctx context.Context, dir string) (bytes int64, known bool)

// Space watches the free space of a disk while a file of unknown length is written to it, so that small input that unpacks to
// very much does not fill the disk. It is for one goroutine.
type Space struct {
	free  FreeSpace
	dir   string
	since int64 // bytes since the last look
}

// NewSpace returns a Space for the disk of a folder. With free nil everything fits.
func NewSpace(free FreeSpace, dir string) *Space { return &Space{free: free, dir: dir} }

// Use counts n bytes that are about to be written, and looks at the disk every 64 MB. Error: insufficient_disk when the next
// 64 MB would leave less than 50 MB.
func (s *Space) Use(ctx context.Context, n int64) error {
	if s.since += n; s.free == nil || s.since < spaceStep {
		return nil
	}
	need := s.since + spareDisk
	s.since = 0
	free, known := s.free(ctx, s.dir)
	if !known || free >= need {
		return nil
	}
	const mb = 1_000_000
	return backend.E(backend.CodeInsufficientDisk,
		fmt.Sprintf("At least %d MB more are needed, and the disk has %d MB free.", (need+mb-1)/mb, free/mb),
		"Free some space, then try again.").With("needed", need).With("free", free)
}
