package hosted

import (
	"context"
	"os"
	"path/filepath"
	"strconv"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
)

// findDonors finds the stored audio of other generations for parts that are still to be paid: all that would be sent is the same.
func (t *speechTask) findDonors(ctx context.Context) error {
	missing := map[string][]*part{}
	for _, p := range t.parts {
		if !t.settled(p) {
			missing[p.hash] = append(missing[p.hash], p)
		}
	}
	for _, id := range t.h.Donors {
		if len(missing) == 0 || !filepath.IsLocal(id) || id == t.h.GenerationID {
			continue
		}
		rows, err := t.s.o.Parts.HostedParts(ctx, id)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if row.State != backend.HostedStored || missing[row.Hash] == nil {
				continue
			}
			row.File = filepath.Join(t.s.partsDir(id), filepath.Base(row.File))
			if sum, err := files.SHA256(ctx, row.File); err != nil || sum != row.SHA256 {
				continue // it is gone or damaged
			}
			for _, p := range missing[row.Hash] {
				p.donor = &row
			}
			delete(missing, row.Hash)
		}
	}
	return nil
}

// copyDonor stores the audio of a donor as that of a part, which costs nothing.
func (t *speechTask) copyDonor(ctx context.Context, p *part) error {
	dir := t.s.partsDir(t.h.GenerationID)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return backend.FileError("make the folder of the audio", "the data directory", err)
	}
	row := backend.HostedPart{
		GenerationID: t.h.GenerationID, N: p.n, Kind: p.kind, State: backend.HostedStored, Hash: p.hash, Characters: p.characters,
		Quoted: new(int64), Credits: new(int64), Format: p.donor.Format, SHA256: p.donor.SHA256, CopiedFrom: p.donor.GenerationID,
		File: filepath.Join(dir, "of-"+strconv.FormatInt(p.donor.Seq, 10)+suffix(p.donor.Format)),
	}
	err := files.Place(row.File, func(temp string) error { // an equal part before this one has the same file
		_, _, err := files.Copy(ctx, p.donor.File, temp, 0o600)
		return err
	})
	if err != nil {
		return backend.FileError("copy the audio of a passage", "the data directory", err)
	}
	row, err = t.s.o.Parts.AddHostedPart(ctx, row)
	if err != nil {
		return err
	}
	t.replace(p, row)
	return nil
}
