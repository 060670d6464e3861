package export

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/spreadsheet"
)

// Index writes the list of the selected generations as CSV or JSON.
func (s *Service) Index(ctx context.Context, w io.Writer, f backend.GenerationFilter, format string) error {
	f.Limit = backend.MaxPageLimit
	write, end := jsonIndex(w)
	if format == "csv" {
		write, end = csvIndex(w)
	}
	for {
		page, err := s.o.Store.Generations(ctx, f)
		if err != nil {
			return err
		}
		for _, g := range page.Items {
			if err := write(g.Generation); err != nil {
				return fmt.Errorf("write the index: %w", err)
			}
		}
		if page.NextCursor == nil {
			return end()
		}
		f.Cursor = *page.NextCursor
	}
}

func csvIndex(w io.Writer) (write func(backend.Generation) error, end func() error) {
	out, cell := csv.NewWriter(w), spreadsheet.Cell
	header := []string{
		"id", "created_at", "profile_name", "engine", "model_name", "voice", "language", "duration", "status", "title",
		"text", "audio_path", "seed",
	}
	first := true
	write = func(g backend.Generation) error {
		if first {
			first = false
			if err := out.Write(header); err != nil {
				return err
			}
		}
		return out.Write([]string{
			g.ID, g.CreatedAt.Format(time.RFC3339), cell(g.ProfileName), cell(g.Engine), cell(g.ModelName), cell(g.Voice),
			cell(g.Language),
			strconv.FormatFloat(g.Duration, 'f', 3, 64), string(g.Status), cell(g.Title), cell(g.Text), g.AudioPath,
			strconv.FormatInt(g.Seed, 10),
		})
	}
	end = func() error {
		if first {
			if err := out.Write(header); err != nil {
				return err
			}
		}
		out.Flush()
		return out.Error()
	}
	return write, end
}

func jsonIndex(w io.Writer) (write func(backend.Generation) error, end func() error) {
	sep := "["
	write = func(g backend.Generation) error {
		raw, err := json.Marshal(g)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "%s\n%s", sep, raw)
		sep = ","
		return err
	}
	end = func() error {
		if sep == "[" {
			_, err := io.WriteString(w, "[]\n")
			return err
		}
		_, err := io.WriteString(w, "\n]\n")
		return err
	}
	return write, end
}
