package events

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

// reader is the http.ResponseWriter that r3labs/sse writes one stream to. It sends one event per Flush: the current state
// first, then only newer ones, and ends the request after the last. r3labs drains its queue until it has deregistered the
// reader, so a disconnected reader blocks nothing.
type reader struct {
	http.ResponseWriter
	req   *http.Request // ends with end
	end   context.CancelFunc
	first func() (seq int, data []byte, last bool) // data nil: a comment opens the stream
	ended func(last, seq int) (int, []byte, bool)  // the first end after last and up to seq; data nil: no message
	all   bool                                     // events of different objects: every event is sent
	buf   bytes.Buffer
	last  int
	open  bool // the first message has been sent
	done  bool
}

func newReader(w http.ResponseWriter, r *http.Request) *reader {
	ctx, cancel := context.WithCancel(r.Context())
	return &reader{ResponseWriter: w, req: r.Clone(ctx), end: cancel}
}

// serve subscribes to the stream and returns when it has ended.
func (rd *reader) serve(server *sse.Server, name string) {
	rd.req.Header.Del("Last-Event-ID") // of another server process; r3labs rejects anything but a number
	rd.req.URL.RawQuery = "stream=" + name
	server.ServeHTTP(rd, rd.req)
	// An end that was published just before Close may still be in the queue, which is no longer read.
	if rd.open && !rd.done {
		if end, data, ended := rd.ended(rd.last, math.MaxInt); ended {
			rd.buf.Reset()
			rd.message(end, data)
			rd.send(true)
		}
	}
	// The end of the response is still to be written, and the deadline of the last message may have passed.
	_ = http.NewResponseController(rd.ResponseWriter).SetWriteDeadline(time.Now().Add(writeDeadline))
}

// Unwrap lets http.ResponseController reach the connection.
func (rd *reader) Unwrap() http.ResponseWriter { return rd.ResponseWriter }

// WriteHeader starts the stream. r3labs has subscribed by now, so no later state is missed.
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

// Write buffers a part of an event until it is complete.
func (rd *reader) Write(p []byte) (int, error) { return rd.buf.Write(p) }

// Flush sends the buffered event unless a newer one was sent.
func (rd *reader) Flush() {
	if rd.done || rd.buf.Len() == 0 {
		rd.buf.Reset()
		return
	}
	event, numbered := bytes.CutPrefix(rd.buf.Bytes(), []byte("id: "))
	if !numbered {
		rd.send(false)
		return
	}
	id, _, _ := bytes.Cut(event, []byte("\n"))
	seq, err := strconv.Atoi(string(id))
	if err != nil || (seq <= rd.last && !rd.all) {
		rd.buf.Reset()
		return
	}
	end, data, ended := rd.ended(rd.last, seq)
	if ended { // also if a new run has begun since
		seq = end
		rd.buf.Reset()
		rd.message(end, data)
	}
	rd.last = seq
	rd.send(ended)
}

// message buffers an unnamed message for send, none without data.
func (rd *reader) message(seq int, data []byte) {
	if data == nil {
		return
	}
	fmt.Fprintf(&rd.buf, "id: %d\ndata: %s\n\n", seq, data)
}

// send writes the buffer; a reader that does not accept it in time is disconnected.
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
