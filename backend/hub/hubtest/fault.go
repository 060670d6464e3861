package hubtest

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Fault changes the responses to requests.
type Fault func(next http.Handler) http.Handler

// Always is the number of times of a fault that does not end.
const Always = -1

type fault struct {
	path    string
	storage bool
	left    int
	do      Fault
}

// Hub adds a fault for the next times requests to the hub itself; path "" means every path.
func (s *Server) Hub(path string, times int, do Fault) { s.add(&fault{path, false, times, do}) }

// Storage adds a fault for the next times requests to the storage host; path "" means every path.
func (s *Server) Storage(path string, times int, do Fault) { s.add(&fault{path, true, times, do}) }

func (s *Server) add(f *fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, f)
}

// Heal removes all faults.
func (s *Server) Heal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

// Status responds with a status and headers, as name, value, ...
func Status(code int, headers ...string) Fault {
	return func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			for i := 0; i+1 < len(headers); i += 2 {
				w.Header().Set(headers[i], headers[i+1])
			}
			w.WriteHeader(code)
		})
	}
}

// Redirect redirects to an address, in which {self} is that of the request.
func Redirect(to string) Fault {
	return func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", strings.ReplaceAll(to, "{self}", r.URL.RequestURI()))
			w.WriteHeader(http.StatusTemporaryRedirect)
		})
	}
}

// body calls do for each write of a body, with its offset in the file.
func body(do func(w http.ResponseWriter, r *http.Request, at int64, b []byte) (int, error)) Fault {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(&passing{ResponseWriter: w, r: r, at: rangeStart(r), do: do}, r)
		})
	}
}

func rangeStart(r *http.Request) int64 {
	first, _, _ := strings.Cut(strings.TrimPrefix(r.Header.Get("Range"), "bytes="), "-")
	at, err := strconv.ParseInt(first, 10, 64)
	if err != nil {
		return 0
	}
	return at
}

type passing struct {
	http.ResponseWriter
	r  *http.Request
	at int64
	do func(w http.ResponseWriter, r *http.Request, at int64, b []byte) (int, error)
}

func (p *passing) Unwrap() http.ResponseWriter { return p.ResponseWriter }

func (p *passing) Write(b []byte) (int, error) {
	n, err := p.do(p.ResponseWriter, p.r, p.at, b)
	p.at += int64(n)
	return n, err
}

var errGone = errors.New("the client closed the connection")

func flush(w http.ResponseWriter) { _ = http.NewResponseController(w).Flush() }

// Cut closes the connection just before each of these offsets, once for each.
func Cut(offsets ...int64) Fault {
	var mu sync.Mutex
	left := append([]int64(nil), offsets...)
	return body(func(w http.ResponseWriter, _ *http.Request, at int64, b []byte) (int, error) {
		mu.Lock()
		cut := int64(-1)
		for i, offset := range left {
			if offset >= at && offset < at+int64(len(b)) {
				cut = offset
				left = append(left[:i], left[i+1:]...)
				break
			}
		}
		mu.Unlock()
		if cut < 0 {
			return w.Write(b)
		}
		_, _ = w.Write(b[:cut-at])
		flush(w)
		panic(http.ErrAbortHandler)
	})
}

// Stall sends the bytes before an offset and then nothing, until the client closes the connection.
func Stall(offset int64) Fault {
	return body(func(w http.ResponseWriter, r *http.Request, at int64, b []byte) (int, error) {
		if at+int64(len(b)) <= offset {
			return w.Write(b)
		}
		_, _ = w.Write(b[:max(0, offset-at)])
		flush(w)
		<-r.Context().Done()
		return 0, errGone
	})
}

// Hold sends the bytes before an offset, and the others when until is closed.
func Hold(offset int64, until <-chan struct{}) Fault {
	return body(func(w http.ResponseWriter, r *http.Request, at int64, b []byte) (int, error) {
		if at+int64(len(b)) <= offset {
			return w.Write(b)
		}
		done, err := w.Write(b[:max(0, offset-at)])
		if err != nil {
			return done, err
		}
		flush(w)
		select {
		case <-until:
		case <-r.Context().Done():
			return done, errGone
		}
		n, err := w.Write(b[done:])
		return done + n, err
	})
}

// Slow sends pieces of that many bytes with a pause after each.
func Slow(piece int, pause time.Duration) Fault {
	return body(func(w http.ResponseWriter, r *http.Request, _ int64, b []byte) (int, error) {
		done := 0
		for done < len(b) {
			n, err := w.Write(b[done:min(len(b), done+piece)])
			done += n
			if err != nil {
				return done, err
			}
			flush(w)
			timer := time.NewTimer(pause)
			select {
			case <-timer.C:
			case <-r.Context().Done():
				timer.Stop()
				return done, errGone
			}
		}
		return done, nil
	})
}

// Corrupt changes the byte at an offset.
func Corrupt(offset int64) Fault {
	return body(func(w http.ResponseWriter, _ *http.Request, at int64, b []byte) (int, error) {
		if offset >= at && offset < at+int64(len(b)) {
			b = append([]byte(nil), b...)
			b[offset-at] ^= 0xff
		}
		return w.Write(b)
	})
}

// header changes the header of a response before it is sent.
func header(change func(status int, h http.Header) int) Fault {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(&heading{ResponseWriter: w, change: change}, r)
		})
	}
}

type heading struct {
	http.ResponseWriter
	change func(status int, h http.Header) int
}

func (h *heading) Unwrap() http.ResponseWriter { return h.ResponseWriter }
func (h *heading) WriteHeader(status int) {
	h.ResponseWriter.WriteHeader(h.change(status, h.Header()))
}

// WrongRange responds with a Content-Range that is off by one byte.
func WrongRange() Fault {
	return header(func(status int, h http.Header) int {
		var start, end, total int64
		if _, err := fmt.Sscanf(h.Get("Content-Range"), "bytes %d-%d/%d", &start, &end, &total); err == nil {
			h.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", start+1, end, total))
		}
		return status
	})
}

// IgnoreRange responds with 200 and the complete file, whatever the requested range.
func IgnoreRange() Fault {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r = r.Clone(r.Context())
			r.Header.Del("Range")
			r.Header.Del("If-Range")
			next.ServeHTTP(w, r)
		})
	}
}

// ETag sends another etag, so that a range request with the old one gets 200 and the complete file.
func ETag(tag string) Fault {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("If-Range") != "" && r.Header.Get("If-Range") != strconv.Quote(tag) {
				r = r.Clone(r.Context())
				r.Header.Del("Range")
				r.Header.Del("If-Range")
			}
			header(func(status int, h http.Header) int {
				h.Set("Etag", strconv.Quote(tag))
				return status
			})(next).ServeHTTP(w, r)
		})
	}
}

// RenamedPart sends the requested range with another etag, as a faulty server does.
func RenamedPart(tag string) Fault {
	return header(func(status int, h http.Header) int {
		h.Set("Etag", strconv.Quote(tag))
		return status
	})
}

// resize sends more or fewer bytes than the file has; with declared, Content-Length is the number that is sent.
func resize(by int64, declared bool) Fault {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			length := int64(0)
			h := header(func(status int, h http.Header) int {
				length, _ = strconv.ParseInt(h.Get("Content-Length"), 10, 64)
				h.Del("Content-Length")
				if declared {
					h.Set("Content-Length", strconv.FormatInt(length+by, 10))
				}
				return status
			})
			start := rangeStart(r)
			trim := body(func(w http.ResponseWriter, _ *http.Request, at int64, b []byte) (int, error) {
				if keep := start + length + by - at; by < 0 && int64(len(b)) > keep {
					_, err := w.Write(b[:max(0, keep)])
					return len(b), err
				}
				return w.Write(b)
			})
			h(trim(next)).ServeHTTP(w, r)
			if by > 0 {
				_, _ = io.CopyN(w, zeroReader{}, by)
			}
		})
	}
}

type zeroReader struct{}

func (zeroReader) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// More sends bytes after the end of the file; with declared, Content-Length includes them.
func More(by int64, declared bool) Fault { return resize(by, declared) }

// Fewer omits bytes at the end of the file; with declared, Content-Length omits them too.
func Fewer(by int64, declared bool) Fault { return resize(-by, declared) }
