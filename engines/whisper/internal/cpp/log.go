//go:build whisper

package cpp

/*
#include "shim.h"
*/
import "C"

import (
	"strings"
	"sync"
	"sync/atomic"
)

// log is where the lines of the library go. The library has one log for the process, so this is one too.
var log struct {
	once  sync.Once
	write atomic.Pointer[func(line string)]

	mu     sync.Mutex
	errors []string // the last ones
}

// keptErrors is the number of lines about an error that say enough.
const keptErrors = 3

// LogTo passes the lines of the library to write, which may be called from any thread; nil drops them. They never go to
// standard error.
func LogTo(write func(line string)) {
	if write == nil {
		log.write.Store(nil)
	} else {
		log.write.Store(&write)
	}
	logToGo()
}

func logToGo() { log.once.Do(func() { C.vw_log_to_go() }) }

//export voicewrightLog
func voicewrightLog(level C.int, text *C.char) {
	defer func() { _ = recover() }() // a panic must not reach the library
	write := log.write.Load()
	failed := level == C.GGML_LOG_LEVEL_ERROR
	if write == nil && !failed {
		return
	}
	line := strings.TrimSpace(C.GoString(text))
	if line == "" {
		return
	}
	if failed {
		log.mu.Lock()
		log.errors = append(log.errors[max(0, len(log.errors)-keptErrors+1):], line)
		log.mu.Unlock()
	}
	if write != nil {
		(*write)(line)
	}
}

func forgetErrors() {
	log.mu.Lock()
	defer log.mu.Unlock()
	log.errors = nil
}

// lastErrors returns what the library logged about errors since forgetErrors.
func lastErrors() string {
	log.mu.Lock()
	defer log.mu.Unlock()
	return strings.Join(log.errors, "; ")
}
