// Seed fills the library of a stopped server with the data that the browser tests need: a long history, voices, drafts,
// scripts. It uses the store, so that it follows every change of the schema.
//
//	go run ./build/seed DATA_DIR < library.json
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/sqlite" //nolint:depguard // fills the store for tests and is no part of the program
)

// library is the content of the input.
type library struct {
	Now            time.Time               `json:"now"` // when drafts were written
	Profiles       []backend.Profile       `json:"profiles"`
	Generations    []backend.Generation    `json:"generations"` // oldest first
	Scripts        []script                `json:"scripts"`
	Drafts         []backend.Draft         `json:"drafts"`
	Pronunciations []backend.Pronunciation `json:"pronunciations"`
}

// script is a backend.Script, which has no JSON of its own.
type script struct {
	ID        string    `json:"id"`
	AudioPath string    `json:"audio_path"`
	CreatedAt time.Time `json:"created_at"`
	Turns     []string  `json:"turns"`
	backend.ScriptVersion
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: seed DATA_DIR < library.json")
		os.Exit(2)
	}
	if err := fill(context.Background(), os.Args[1], os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "seed:", err)
		os.Exit(1)
	}
}

func fill(ctx context.Context, data string, from io.Reader) (err error) {
	var l library
	in := json.NewDecoder(from)
	in.DisallowUnknownFields()
	if err := in.Decode(&l); err != nil {
		return fmt.Errorf("read the library: %w", err)
	}
	created := 0
	db, err := sqlite.Open(ctx, sqlite.Options{
		Path: filepath.Join(data, "voicewright.db"),
		Now:  func() time.Time { return l.Now },
		NewID: func() string { // the same ones in each run
			created++
			return fmt.Sprintf("00000000-0000-7000-9000-%012d", created)
		},
	})
	if err != nil {
		return err
	}
	defer func() {
		if closed := db.Close(); err == nil {
			err = closed
		}
	}()
	return store(ctx, db, l)
}

func store(ctx context.Context, db *sqlite.DB, l library) error {
	for _, p := range l.Profiles {
		if _, err := db.Create(ctx, p); err != nil {
			return err
		}
	}
	for _, g := range l.Generations {
		if _, err := db.CreateGeneration(ctx, g); err != nil {
			return err
		}
	}
	for _, s := range l.Scripts {
		s.Generations = s.Turns
		stored := backend.Script{ID: s.ID, AudioPath: s.AudioPath, CreatedAt: s.CreatedAt, ScriptVersion: s.ScriptVersion}
		if _, err := db.CreateScript(ctx, stored); err != nil {
			return err
		}
	}
	for _, d := range l.Drafts {
		if _, err := db.CreateDraft(ctx, d); err != nil {
			return err
		}
	}
	for _, p := range l.Pronunciations {
		if _, err := db.CreatePronunciation(ctx, p); err != nil {
			return err
		}
	}
	return nil
}
