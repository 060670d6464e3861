// Command pack makes backend/hyphen/words.gz from the JSON files of hexgrad/misaki (misaki/data/{us,gb}_{gold,silver}.json,
// Apache-2.0):
//
//	go run ./backend/hyphen/pack JSON-FOLDER backend/hyphen/words.gz
//
// It has the words of all four files in lower case and byte order, one a line, without those that hyphen.Endings explain.
package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend/hyphen"
)

// word matches what is kept: at least two letters, perhaps with hyphens.
var word = regexp.MustCompile(`^[a-z]+(?:-[a-z]+)*[a-z]$`)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: pack JSON-FOLDER FILE")
		os.Exit(2)
	}
	if err := pack(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func pack(from, to string) error {
	files, err := filepath.Glob(filepath.Join(from, "[ug][sb]_*.json"))
	if err != nil {
		return err
	}
	all := map[string]bool{}
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		var entries map[string]any
		if err := json.Unmarshal(raw, &entries); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for w := range entries {
			if w = strings.ToLower(w); word.MatchString(w) {
				all[w] = true
			}
		}
	}
	shortest := slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		return cmp.Or(len(a)-len(b), strings.Compare(a, b))
	})
	kept := map[string]bool{}
	for _, w := range shortest {
		if !explained(w, kept) {
			kept[w] = true
		}
	}
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := z.Write([]byte(strings.Join(slices.Sorted(maps.Keys(kept)), "\n"))); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(to, packed.Bytes(), 0o600)
}

// explained reports whether a word is one of kept with an ending.
func explained(w string, kept map[string]bool) bool {
	for _, ending := range hyphen.Endings {
		if stem, ok := strings.CutSuffix(w, ending); ok && kept[stem] {
			return true
		}
	}
	return false
}
