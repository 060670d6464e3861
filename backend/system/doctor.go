package system

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/voicewright/voicewright/backend"
)

// Level is how bad a finding is.
type Level string

// The levels of findings.
const (
	OK      Level = "ok"
	Warning Level = "warning" // something optional is missing
	Broken  Level = "broken"  // Voicewright cannot speak
)

// Finding is the result of one check of the doctor.
type Finding struct {
	Name   string `json:"name"`
	Level  Level  `json:"level"`
	Detail string `json:"detail"`
	Remedy string `json:"remedy,omitempty"`
}

// Check is one check of the doctor.
type Check struct {
	Name string
	Bad  Level // the level of an error
	Run  func(ctx context.Context) (detail string, err error)
}

// Examine runs the checks in order.
func Examine(ctx context.Context, checks []Check) []Finding {
	out := make([]Finding, 0, len(checks))
	for _, c := range checks {
		f := Finding{Name: c.Name, Level: OK}
		var err error
		if f.Detail, err = c.Run(ctx); err != nil {
			e := backend.AsError(err)
			f.Level, f.Detail, f.Remedy = c.Bad, e.Detail, e.Remedy
			if e.Code == backend.CodeInternal {
				f.Detail = err.Error()
			}
		}
		out = append(out, f)
	}
	return out
}

// Writable checks that files can be created in dir, which it creates if necessary.
func Writable(dir string) Check {
	return Check{Name: "folder " + filepath.Base(dir), Bad: Broken, Run: func(context.Context) (string, error) {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return "", backend.FileError("create the folder", dir, err)
		}
		f, err := os.CreateTemp(dir, ".doctor-*")
		if err != nil {
			return "", backend.FileError("write to the folder", dir, err)
		}
		_, err = f.WriteString("ok")
		_ = f.Close()
		_ = os.Remove(f.Name())
		return dir + " can be written", backend.FileError("write to the folder", dir, err)
	}}
}

// lowDisk is the free space below which the doctor warns.
const lowDisk = 1_000_000_000

// DiskSpace checks that there is space for audio and models.
func DiskSpace(dir string) Check {
	return Check{Name: "disk space", Bad: Warning, Run: func(ctx context.Context) (string, error) {
		space := Disk(ctx, dir)
		if space == nil {
			return "the free space is unknown", nil
		}
		free := fmt.Sprintf("%.1f GB free", float64(space.Free)/1e9)
		if space.Free < lowDisk {
			return "", backend.E(backend.CodeInsufficientDisk, "Only "+free+" on the disk of "+dir+".",
				"Free some space, or choose another disk with --data and --models.")
		}
		return free, nil
	}}
}
