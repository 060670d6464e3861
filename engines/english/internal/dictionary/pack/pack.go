// Command pack makes the dictionaries in engines/english/internal/dictionary/data from the JSON files of hexgrad/misaki
// (misaki/data/{us,gb}_{gold,silver}.json, Apache-2.0):
//
//	go run ./engines/english/internal/dictionary/pack JSON-FOLDER engines/english/internal/dictionary/data
//
// A silver entry, which is the less certain kind, has ~ before its phonemes and is left out where a gold one exists. A word with several
// pronunciations has them as TAG=phonemes, divided by spaces; nothing behind the = means that the word is spelled out. The files are
// those of the package packed.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/engines/english/internal/dictionary/packed"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: pack JSON-FOLDER DATA-FOLDER")
		os.Exit(2)
	}
	if err := pack(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

// pack reads the files of both accents and writes the packed ones.
func pack(from, to string) error {
	us, err := accent(from, "us")
	if err != nil {
		return err
	}
	gb, err := accent(from, "gb")
	if err != nil {
		return err
	}
	files, err := packed.Encode(us, gb)
	if err != nil {
		return err
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(to, name), data, 0o644); err != nil {
			return fmt.Errorf("write dictionary: %w", err)
		}
	}
	return nil
}

// accent returns the dictionary of an accent from its two files.
func accent(from, name string) (map[string]string, error) {
	gold, err := read(filepath.Join(from, name+"_gold.json"))
	if err != nil {
		return nil, err
	}
	silver, err := read(filepath.Join(from, name+"_silver.json"))
	if err != nil {
		return nil, err
	}
	for word, value := range silver {
		if _, double := gold[word]; !double {
			gold[word] = "~" + value
		}
	}
	return gold, nil
}

// read returns the value of each word of a JSON file as the dictionary has it.
func read(path string) (map[string]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read dictionary: %w", err)
	}
	var entries map[string]json.RawMessage
	if err := json.Unmarshal(data, &entries); err != nil {
		return nil, fmt.Errorf("parse %s: %w", path, err)
	}
	values := make(map[string]string, len(entries))
	for word, raw := range entries {
		if values[word], err = value(raw); err != nil {
			return nil, fmt.Errorf("parse %s: %q: %w", path, word, err)
		}
	}
	return values, nil
}

// value returns the phonemes of an entry, or its pronunciations by part of speech, as text.
func value(raw json.RawMessage) (string, error) {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return one, nil
	}
	var readings map[string]*string
	if err := json.Unmarshal(raw, &readings); err != nil {
		return "", fmt.Errorf("readings: %w", err)
	}
	var parts []string
	for tag, phonemes := range readings {
		if phonemes == nil {
			phonemes = new(string)
		}
		parts = append(parts, tag+"="+*phonemes)
	}
	slices.Sort(parts)
	return strings.Join(parts, " "), nil
}
