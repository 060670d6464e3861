package app

import (
	"strings"
	"sync"
)

// lastWords collects the end of what a program without a terminal writes, as text that a box of the system can show. It is safe for
// concurrent use.
type lastWords struct {
	mu  sync.Mutex
	end []byte
}

// lastWordsLimit is how many bytes of it are kept: what a box of the system shows.
const lastWordsLimit = 2000

func (l *lastWords) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.end = append(l.end, p...)
	if extra := len(l.end) - lastWordsLimit; extra > 0 {
		l.end = append([]byte{}, l.end[extra:]...)
	}
	return len(p), nil
}

func (l *lastWords) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.TrimSpace(strings.ToValidUTF8(strings.ReplaceAll(string(l.end), "\x00", ""), ""))
}
