package cli

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/backend/system"
)

func (p libraryCommands) doctor() *cobra.Command {
	var bundle string
	cmd := &cobra.Command{
		Use: "doctor", Short: "Check the installation and suggest fixes", Args: usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := p.options()
			if err != nil {
				return err
			}
			file := usage.InFolder(bundle, "voicewright-doctor.zip")
			if err := usage.CheckKind(file); err != nil {
				return err
			}
			findings := p.app.Examine(cmd.Context(), o)
			if bundle != "" {
				if err := p.writeBundle(cmd.Context(), file, o.Data, findings); err != nil {
					return err
				}
			}
			return p.printFindings(findings)
		},
	}
	cmd.Flags().StringVar(&bundle, "bundle", "", "also save the results, without texts or secrets, to this zip file, or to one in this folder")
	return cmd
}

// printFindings prints the findings. It fails when the main job cannot be done.
func (p libraryCommands) printFindings(findings []system.Finding) error {
	broken := 0
	for _, f := range findings {
		if f.Level == system.Broken {
			broken++
		}
	}
	if p.json {
		if err := p.printJSON(map[string]any{"findings": findings, "ok": broken == 0}); err != nil {
			return err
		}
	} else {
		for _, f := range findings {
			if err := p.printf("%-8s %-16s %s\n", f.Level, f.Name, strings.TrimSpace(f.Detail+" "+f.Remedy)); err != nil {
				return err
			}
		}
	}
	if broken > 0 {
		return fmt.Errorf("%d of %d checks failed", broken, len(findings))
	}
	return nil
}

// writeBundle writes a zip file for a bug report: information on the machine, and the findings. The path of the home
// directory is replaced with ~.
func (p libraryCommands) writeBundle(ctx context.Context, path, data string, findings []system.Finding) error {
	raw, err := json.MarshalIndent(map[string]any{
		"version": p.app.Version, "system": system.Host(ctx, data), "findings": findings,
	}, "", "  ")
	if err != nil {
		return fmt.Errorf("write the bundle: %w", err)
	}
	if home, err := os.UserHomeDir(); err == nil && len(home) > 1 {
		raw = bytes.ReplaceAll(raw, []byte(home), []byte("~"))
	}
	err = files.Replace(path, 0o600, func(f *os.File) error {
		z := zip.NewWriter(f)
		w, err := z.CreateHeader(&zip.FileHeader{Name: "doctor.json", Method: zip.Deflate, Modified: time.Now()})
		if err == nil {
			_, err = w.Write(raw)
		}
		return errors.Join(err, z.Close())
	})
	return backend.FileError("write the bundle", path, err)
}
