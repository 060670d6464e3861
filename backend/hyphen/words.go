package hyphen

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"sort"
	"strings"
	"sync"
)

//go:embed words.gz
var packed []byte

// Endings are those of English words that the list leaves out where it has the word without them.
var Endings = [...]string{"s", "es", "ed", "d", "ing", "ly", "ness"}

// words returns the list of English words, one a line in byte order. It is unpacked when it is needed first.
var words = sync.OnceValue(func() string {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		panic("hyphen: the list of words: " + err.Error()) // part of the program
	}
	list, err := io.ReadAll(z)
	if err != nil {
		panic("hyphen: the list of words: " + err.Error())
	}
	return string(list)
})

// known reports whether an English word in lower case is in the list, with or without one of Endings.
func known(word string) bool {
	if listed(word) {
		return true
	}
	for _, ending := range Endings {
		if stem, ok := strings.CutSuffix(word, ending); ok && len(stem) > 1 && listed(stem) {
			return true
		}
	}
	return false
}

// listed reports whether the list has a word.
func listed(word string) bool {
	list := words()
	// The first byte from which the line that contains it is not before the word.
	at := sort.Search(len(list), func(i int) bool { return lineAt(list, i) >= word })
	return at < len(list) && lineAt(list, at) == word
}

// lineAt returns the line of a list that contains a byte; a line end belongs to the line before it.
func lineAt(list string, at int) string {
	start := strings.LastIndexByte(list[:at], '\n') + 1
	end := strings.IndexByte(list[at:], '\n')
	if end < 0 {
		return list[start:]
	}
	return list[start : at+end]
}
