// Package packed has the form in which the two English dictionaries are part of the program: three files of compressed lines, in which
// most of a line is like the line before, or of the other accent. That is 1.7 MB; the two dictionaries compressed one by one are 2.8.
//
//	words.gz  the words of both accents in byte order: how many bytes each has in common with the one before, and the others
//	us.gz     the values of the American accent, written likewise; ! for a word that it lacks
//	gb.gz     the values of the British accent: nothing for the same, ! for a word that it lacks, else how many bytes the value begins
//	          with in common with the American one, those in the middle, and how many it ends with in common
//
// A number is one character, from '0' for 0 on.
package packed

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

const (
	absent = "!"
	maxRun = '~' - '0' // the largest number
	size   = 5 << 20   // more than the larger dictionary takes, in bytes
)

// Decode returns the dictionary of an accent: lines of a word, a tab and its value, in byte order of the words.
func Decode(files fs.FS, british bool) (text string, err error) {
	names := []string{"words.gz", "us.gz", "gb.gz"}
	if !british {
		names = names[:2]
	}
	lines := make([]*bufio.Scanner, len(names))
	for i, name := range names {
		file, err := files.Open(name)
		if err != nil {
			return "", fmt.Errorf("open dictionary: %w", err)
		}
		defer func() { _ = file.Close() }()
		z, err := gzip.NewReader(file)
		if err != nil {
			return "", fmt.Errorf("open dictionary: %w", err)
		}
		lines[i] = bufio.NewScanner(z)
	}
	var d decoder
	d.text.Grow(size)
	for lines[0].Scan() {
		for _, other := range lines[1:] {
			if !other.Scan() {
				return "", errors.Join(errDamaged, other.Err())
			}
		}
		if err := d.add(lines); err != nil {
			return "", err
		}
	}
	for _, l := range lines {
		if l.Scan() || l.Err() != nil {
			return "", errors.Join(errDamaged, l.Err())
		}
	}
	return d.text.String(), nil
}

var errDamaged = errors.New("unpack dictionary: it is damaged")

// decoder has the last word and the last value of the American accent.
type decoder struct {
	text            strings.Builder
	word, us, value []byte
}

// add decodes one line of each file.
func (d *decoder) add(lines []*bufio.Scanner) (err error) {
	if d.word, err = joined(d.word, lines[0].Bytes()); err != nil {
		return err
	}
	us, found := lines[1].Bytes(), false
	var base []byte // the American value
	if string(us) != absent {
		if d.us, err = joined(d.us, us); err != nil {
			return err
		}
		base, found = d.us, true
	}
	value := base
	if len(lines) > 2 {
		if value, found, err = d.british(base, lines[2].Bytes()); err != nil {
			return err
		}
	}
	if found {
		d.text.Write(d.word)
		d.text.WriteByte('\t')
		d.text.Write(value)
		d.text.WriteByte('\n')
	}
	return nil
}

// british returns the British value of a word, and whether there is one.
func (d *decoder) british(base, line []byte) ([]byte, bool, error) {
	switch {
	case len(line) == 0:
		return base, true, nil
	case string(line) == absent:
		return nil, false, nil
	case len(line) == 1:
		return nil, false, errDamaged
	}
	before, after := int(line[0])-'0', int(line[len(line)-1])-'0'
	if before < 0 || after < 0 || before+after > len(base) {
		return nil, false, errDamaged
	}
	d.value = append(d.value[:0], base[:before]...)
	d.value = append(d.value, line[1:len(line)-1]...)
	d.value = append(d.value, base[len(base)-after:]...)
	return d.value, true, nil
}

// joined replaces the end of last by that of a line.
func joined(last, line []byte) ([]byte, error) {
	if len(line) == 0 || line[0] < '0' || int(line[0])-'0' > len(last) {
		return nil, errDamaged
	}
	return append(last[:line[0]-'0'], line[1:]...), nil
}

// Encode returns the files of two dictionaries, each with the values of its words, without line ends.
func Encode(us, gb map[string]string) (map[string][]byte, error) {
	all := maps.Clone(us)
	maps.Copy(all, gb)
	var lines [3]strings.Builder
	var last, lastValue string
	for _, word := range slices.Sorted(maps.Keys(all)) {
		lines[0].WriteString(end(last, word) + "\n")
		last = word
		american, isAmerican := us[word]
		if isAmerican {
			lines[1].WriteString(end(lastValue, american) + "\n")
			lastValue = american
		} else {
			lines[1].WriteString(absent + "\n")
		}
		british, isBritish := gb[word]
		switch {
		case !isBritish:
			lines[2].WriteString(absent)
		case !isAmerican || british != american:
			lines[2].WriteString(middle(american, british))
		}
		lines[2].WriteByte('\n')
	}
	files := map[string][]byte{}
	for i, name := range []string{"words.gz", "us.gz", "gb.gz"} {
		var packed bytes.Buffer
		z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
		if err != nil {
			return nil, fmt.Errorf("compress: %w", err)
		}
		if _, err := z.Write([]byte(lines[i].String())); err != nil {
			return nil, fmt.Errorf("compress: %w", err)
		}
		if err := z.Close(); err != nil {
			return nil, fmt.Errorf("compress: %w", err)
		}
		files[name] = packed.Bytes()
	}
	return files, nil
}

// end returns the line of a text after another.
func end(last, text string) string {
	n := common(last, text)
	return string(rune('0'+n)) + text[n:]
}

// middle returns the line of a British value.
func middle(american, british string) string {
	before := common(american, british)
	a, b := american[before:], british[before:]
	after := 0
	for after < min(len(a), len(b), maxRun) && a[len(a)-1-after] == b[len(b)-1-after] {
		after++
	}
	return string(rune('0'+before)) + b[:len(b)-after] + string(rune('0'+after))
}

// common returns how many bytes two texts begin with in common, as far as one character says.
func common(a, b string) int {
	n := 0
	for n < min(len(a), len(b), maxRun) && a[n] == b[n] {
		n++
	}
	return n
}
