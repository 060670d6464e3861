package httpapi

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/r3labs/sse/v2"
)

// reader is the writer that r3labs/sse sees for one open stream. It passes one event per Flush: the
// present state first, then only newer ones, and ends the request after a last one. r3labs goes on
// draining its queue until it has deregistered the reader, so nothing hangs on a reader that is gone.
type reader struct {
	http.ResponseWriter
	req   *http.Request // ends with end
	end   context.CancelFunc
	first func() (seq int, data []byte, last bool) // data nil: a comment opens the stream
	ended func(last, seq int) (int, []byte, bool)  // the first end behind last and not behind seq; data nil: no message
	all   bool                                     // events of different things: none is older than another
	buf   bytes.Buffer
	last  int
	open  bool // the first message is out
	done  bool
}

func newReader(w http.ResponseWriter, r *http.Request) *reader {
	ctx, cancel := context.WithCancel(r.Context())
	return &reader{ResponseWriter: w, req: r.Clone(ctx), end: cancel}
}

// serve subscribes to the stream and returns when it has ended.
func (rd *reader) serve(server *sse.Server, name string) {
	rd.req.Header.Del("Last-Event-ID") // a number of another life; r3labs refuses what is no number
	rd.req.URL.RawQuery = "stream=" + name
	server.ServeHTTP(rd, rd.req)
	// An end that was told just before Close may still lie in a queue that nobody empties any more.
	if rd.open && !rd.done {
		if end, data, ended := rd.ended(rd.last, math.MaxInt); ended {
			rd.buf.Reset()
			rd.message(end, data)
			rd.send(true)
		}
	}
	// The end of the answer is still to be written, and the deadline of the last message may be over.
	_ = http.NewResponseController(rd.ResponseWriter).SetWriteDeadline(time.Now().Add(writeDeadline))
}

// Unwrap lets http.ResponseController reach the connection.
func (rd *reader) Unwrap() http.ResponseWriter { return rd.ResponseWriter }

// WriteHeader starts the stream. r3labs has subscribed by now, so nothing after this state is missed.
func (rd *reader) WriteHeader(code int) {
	rd.ResponseWriter.WriteHeader(code)
	if code != http.StatusOK {
		return
	}
	if rd.req.Method == http.MethodHead {
		rd.done = true
		rd.end()
		return
	}
	seq, data, last := rd.first()
	rd.last = seq
	if data == nil {
		rd.buf.WriteString(": open\n\n")
	} else {
		rd.message(seq, data)
	}
	rd.open = true
	rd.send(last)
}

// Write keeps a part of an event until it is whole.
func (rd *reader) Write(p []byte) (int, error) { return rd.buf.Write(p) }

// Flush sends the event unless it is an old one.
func (rd *reader) Flush() {
	if rd.done || rd.buf.Len() == 0 {
		rd.buf.Reset()
		return
	}
	rest, numbered := bytes.CutPrefix(rd.buf.Bytes(), []byte("id: "))
	if !numbered {
		rd.send(false)
		return
	}
	id, _, _ := bytes.Cut(rest, []byte("\n"))
	seq, err := strconv.Atoi(string(id))
	if err != nil || (seq <= rd.last && !rd.all) {
		rd.buf.Reset()
		return
	}
	end, data, ended := rd.ended(rd.last, seq)
	if ended { // also when something new has begun since
		seq = end
		rd.buf.Reset()
		rd.message(end, data)
	}
	rd.last = seq
	rd.send(ended)
}

// message keeps an unnamed message for send, none without data.
func (rd *reader) message(seq int, data []byte) {
	if data == nil {
		return
	}
	fmt.Fprintf(&rd.buf, "id: %d\ndata: %s\n\n", seq, data)
}

// send writes what is kept; a reader that cannot take it in time is dropped.
func (rd *reader) send(last bool) {
	rc := http.NewResponseController(rd.ResponseWriter)
	err := rc.SetWriteDeadline(time.Now().Add(writeDeadline))
	if err == nil {
		_, err = rd.ResponseWriter.Write(rd.buf.Bytes())
	}
	if err == nil {
		err = rc.Flush()
	}
	rd.buf.Reset()
	if err != nil || last {
		rd.done = true
		rd.end() // r3labs deregisters on a cancelled request and its loop ends
	}
}
