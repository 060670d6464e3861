package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/books"
	"github.com/voicewright/voicewright/backend/strictjson"
	"github.com/voicewright/voicewright/backend/strictjson/strictjsontest"
)

// bookRoute is a route of books, as the OpenAPI document has it.
type bookRoute struct {
	method, path string // the path with its names
	reads        bool   // it has a body
}

// bookRoutes returns all routes of books in the order of their paths.
func bookRoutes(t *testing.T, document string) (routes []bookRoute) {
	t.Helper()
	var doc struct {
		Paths map[string]map[string]struct {
			RequestBody any `json:"requestBody"`
		} `json:"paths"`
	}
	require.NoError(t, json.Unmarshal([]byte(document), &doc))
	for path, methods := range doc.Paths {
		for method, op := range methods {
			if path == "/books" || strings.HasPrefix(path, "/books/") {
				routes = append(routes, bookRoute{strings.ToUpper(method), path, op.RequestBody != nil})
			}
		}
	}
	slices.SortFunc(routes, func(a, b bookRoute) int { return strings.Compare(a.path+" "+a.method, b.path+" "+b.method) })
	require.Greater(t, len(routes), 20)
	return routes
}

// bookBodies are requests that succeed; those of other routes are empty.
var bookBodies = map[string]string{
	"PATCH /books/{book_id}":                                  `{"author":"Bo Writer"}`,
	"PATCH /books/{book_id}/chapters/{chapter_id}":            `{"title":"The first day"}`,
	"PATCH /books/{book_id}/chapters/{chapter_id}/blocks/{n}": `{"text":"Nobody came to the harbour."}`,
	"POST /books/{book_id}/chapters/{chapter_id}/split":       `{"block":1}`,
	"POST /books/{book_id}/chapters/{chapter_id}/move":        `{"to":2}`,
	"POST /books/{book_id}/generate":                          `{}`,
	"POST /books/{book_id}/quote":                             `{}`,
}

// request sends a request that is right to a route of books.
func (s *studio) bookRequest(r bookRoute, ids *strings.Replacer) answer {
	s.t.Helper()
	cover := picture(s.t, func(b *bytes.Buffer, m image.Image) error { return png.Encode(b, m) })
	switch name := r.method + " " + r.path; name {
	case "POST /books", "POST /books/{book_id}/update":
		return s.sendBook(r.method, ids.Replace(r.path), part{"file", "The Harbour.txt", bookText(same)})
	case "PUT /books/{book_id}/cover":
		return s.sendBook(r.method, ids.Replace(r.path), part{"file", "a.png", cover})
	case "PUT /books/{book_id}/place":
		return s.do(r.method, ids.Replace(r.path), ids.Replace(`{"chapter_id":"{chapter_id}","seconds":0}`))
	default:
		return s.do(r.method, ids.Replace(r.path), bookBodies[name])
	}
}

// shown is a book without what differs between two requests.
func (s *studio) shown(path string) object {
	s.t.Helper()
	o := s.do("GET", path, "").object(s.t)
	delete(o, "cover_url")
	return o
}

// TestRoutesOfBooks sends what is wrong to every route of books: it is refused with a remedy, and changes nothing.
func TestRoutesOfBooks(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	book := s.newBook()
	path := "/books/" + book["id"].(string)
	ids := func(book, chapter string) *strings.Replacer {
		return strings.NewReplacer("{book_id}", book, "{chapter_id}", chapter, "{n}", "1")
	}
	right := ids(book["id"].(string), book.at("chapters", 0, "id").(string))
	const unknown = "01990000-0000-7000-8000-000000000000"
	before := s.shown(path)
	routes := bookRoutes(t, s.do("GET", "/openapi.json", "").body)
	for _, r := range routes {
		t.Run(r.method+" "+r.path, func(t *testing.T) {
			for _, header := range []string{"-Authorization", "Authorization: Bearer x"} {
				require.Equal(t, 401, s.do(r.method, right.Replace(r.path), "{}", header).StatusCode)
			}
			require.Equal(t, 403, s.do(r.method, right.Replace(r.path), "{}", "Origin: https://evil.example").StatusCode)
			if strings.Contains(r.path, "{") {
				a := s.bookRequest(r, ids(unknown, unknown))
				require.Equal(t, []any{404, "not_found"}, []any{a.StatusCode, a.object(t)["code"]}, a.body)
				require.NotEmpty(t, a.object(t)["remedy"])
				a = s.bookRequest(r, ids("1", unknown))
				require.Equal(t, 422, a.StatusCode, a.body)
				require.Contains(t, a.body, `["path","book_id"]`)
			}
			if strings.Contains(r.path, "{chapter_id}") {
				a := s.bookRequest(r, ids(book["id"].(string), unknown))
				require.Equal(t, []any{404, "not_found"}, []any{a.StatusCode, a.object(t)["code"]}, a.body)
			}
			if r.reads {
				s.attack(t, r.method, right.Replace(r.path))
			}
		})
	}
	for _, r := range routes {
		for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE"} {
			if !slices.ContainsFunc(routes, func(o bookRoute) bool { return o.method == method && o.path == r.path }) {
				a := s.do(method, right.Replace(r.path), "{}")
				require.Equal(t, 405, a.StatusCode, "%s %s", method, r.path)
				require.Contains(t, a.Header.Get("Allow"), r.method)
			}
		}
	}
	require.Equal(t, before, s.shown(path), "nothing has changed")
	s.noUploadLeft()
}

// attack sends bodies to a route that reads one.
func (s *studio) attack(t *testing.T, method, path string) {
	t.Helper()
	for _, attack := range strictjsontest.Attacks(200) {
		if attack.Kind != 0 && attack.Kind != strictjson.Repeated {
			require.Equal(t, 422, s.do(method, path, attack.Body).StatusCode, attack.Name)
		}
	}
	for _, body := range []string{`[]`, `"text"`, `7`, `null`, `[{}]`} {
		a := s.do(method, path, body)
		require.Equal(t, 422, a.StatusCode, "%s: %s", body, a.body)
	}
	large := s.do(method, path, `{"x":"`+strings.Repeat("y", 5<<20)+`"}`)
	require.Equal(t, 413, large.StatusCode)
	require.NotEmpty(t, large.object(t)["remedy"])
}

// panickyBooks panics at a call of the store.
type panickyBooks struct {
	books.Store
	left *atomic.Int64 // calls until it panics, negative: never
}

func (p panickyBooks) call() {
	if p.left.Add(-1) == 0 {
		panic("on demand")
	}
}

// TestPanicsInRoutesOfBooks panics at each read and write of every route of books: the request fails, and the next one works.
func TestPanicsInRoutesOfBooks(t *testing.T) {
	t.Parallel()
	left := &atomic.Int64{}
	left.Store(-1)
	s := newStudio(t, studioOptions{books: func(store books.Store) books.Store { return panickyBooks{store, left} }})
	for _, r := range bookRoutes(t, s.do("GET", "/openapi.json", "").body) {
		t.Run(r.method+" "+r.path, func(t *testing.T) {
			book := s.newBook()
			path := "/books/" + book["id"].(string)
			ids := strings.NewReplacer("{book_id}", book["id"].(string), "{chapter_id}", book.at("chapters", 0, "id").(string), "{n}", "1")
			if strings.HasSuffix(r.path, "/undo") {
				require.Equal(t, 200, s.do("PATCH", ids.Replace("/books/{book_id}/chapters/{chapter_id}"), `{"title":"One"}`).StatusCode)
			}
			for n := int64(1); ; n++ {
				left.Store(n)
				a := s.bookRequest(r, ids)
				reached := left.Swap(-1) <= 0
				if !reached || a.StatusCode < 500 {
					require.Less(t, a.StatusCode, 500, a.body)
					require.Greater(t, n, int64(1))
					break
				}
				require.Equal(t, "internal", a.object(t)["code"], a.body)
				require.NotContains(t, a.body, "on demand")
				a = s.do("GET", path, "")
				require.Contains(t, []int{200, 404}, a.StatusCode, a.body)
			}
			if r.method != http.MethodDelete {
				require.Len(t, s.do("GET", path, "").object(t)["title"], len("The Harbour"), fmt.Sprint(r))
			}
			s.do("DELETE", path, "")
			s.noUploadLeft()
		})
	}
}

func (p panickyBooks) GenerationsByID(ctx context.Context, ids []string, brief bool) ([]backend.Generation, error) {
	p.call()
	return p.Store.GenerationsByID(ctx, ids, brief)
}

func (p panickyBooks) FormerVersion(ctx context.Context, id string) (v backend.FormerVersion, ok bool, err error) {
	p.call()
	return p.Store.FormerVersion(ctx, id)
}

func (p panickyBooks) CreateBook(ctx context.Context, b backend.Book, texts []backend.BookText) (backend.Book, error) {
	p.call()
	return p.Store.CreateBook(ctx, b, texts)
}

func (p panickyBooks) Books(ctx context.Context, page backend.Page) (backend.List[backend.Book], error) {
	p.call()
	return p.Store.Books(ctx, page)
}

func (p panickyBooks) SaveBook(
	ctx context.Context, b backend.Book, texts []backend.BookText, before *backend.BookState,
) (backend.Book, error) {
	p.call()
	return p.Store.SaveBook(ctx, b, texts, before)
}

func (p panickyBooks) SetBookPlace(ctx context.Context, id string, place backend.BookPlace) error {
	p.call()
	return p.Store.SetBookPlace(ctx, id, place)
}

func (p panickyBooks) UndoBook(
	ctx context.Context, id string, restore func(b *backend.Book, to backend.BookState),
) (backend.Book, error) {
	p.call()
	return p.Store.UndoBook(ctx, id, restore)
}

func (p panickyBooks) BookTexts(ctx context.Context, id string, keys []string) (map[string][]backend.Block, error) {
	p.call()
	return p.Store.BookTexts(ctx, id, keys)
}

func (p panickyBooks) DeleteBook(ctx context.Context, id string) error {
	p.call()
	return p.Store.DeleteBook(ctx, id)
}

func (p panickyBooks) BookGenerations(ctx context.Context, book string) ([]string, error) {
	p.call()
	return p.Store.BookGenerations(ctx, book)
}

func (p panickyBooks) SpareBookGenerations(ctx context.Context, book string) ([]string, error) {
	p.call()
	return p.Store.SpareBookGenerations(ctx, book)
}

func (p panickyBooks) Book(ctx context.Context, id string) (backend.Book, error) {
	p.call()
	return p.Store.Book(ctx, id)
}

func (p panickyBooks) Profile(ctx context.Context, id string) (backend.Profile, error) {
	p.call()
	return p.Store.Profile(ctx, id)
}

func (p panickyBooks) Samples(ctx context.Context, profileID string) ([]backend.Sample, error) {
	p.call()
	return p.Store.Samples(ctx, profileID)
}
