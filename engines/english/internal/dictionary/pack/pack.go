// Command pack makes the dictionaries in engines/english/internal/dictionary/data from the JSON files of hexgrad/misaki
// (misaki/data/{us,gb}_{gold,silver}.json, Apache-2.0):
//
//	go run ./engines/english/internal/dictionary/pack JSON-FOLDER engines/english/internal/dictionary/data
//
// Each accent becomes one gzip file of lines in byte order: word, tab, phonemes. A silver entry, which is the less certain
// kind, has ~ before its phonemes and is left out where a gold one exists. A word with several pronunciations has
// them as TAG=phonemes, divided by spaces; nothing behind the = means that the word is spelled out.
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: pack JSON-FOLDER DATA-FOLDER")
		os.Exit(2)
	}
	for _, accent := range []string{"us", "gb"} {
		if err := pack(os.Args[1], os.Args[2], accent); err != nil {
			fmt.Fprintln(os.Stderr, "pack:", err)
			os.Exit(1)
		}
	}
}

// pack reads the two files of one accent and writes its dictionary.
func pack(from, to, accent string) error {
	gold, err := read(filepath.Join(from, accent+"_gold.json"))
	if err != nil {
		return err
	}
	silver, err := read(filepath.Join(from, accent+"_silver.json"))
	if err != nil {
		return err
	}
	lines := make([]string, 0, len(gold)+len(silver))
	for word, value := range gold {
		lines = append(lines, word+"\t"+value+"\n")
	}
	for word, value := range silver {
		if _, double := gold[word]; !double {
			lines = append(lines, word+"\t~"+value+"\n")
		}
	}
	slices.SortFunc(lines, func(a, b string) int {
		first, _, _ := strings.Cut(a, "\t")
		second, _, _ := strings.Cut(b, "\t")
		return strings.Compare(first, second)
	})
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return fmt.Errorf("compress: %w", err)
	}
	if _, err := z.Write([]byte(strings.Join(lines, ""))); err != nil {
		return fmt.Errorf("compress: %w", err)
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("compress: %w", err)
	}
	if err := os.WriteFile(filepath.Join(to, accent+".gz"), packed.Bytes(), 0o644); err != nil {
		return fmt.Errorf("write dictionary: %w", err)
	}
	return nil
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
