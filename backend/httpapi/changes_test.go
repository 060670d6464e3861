package httpapi_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHistoryEvents marks and deletes many, and hears of it, as every window does.
func TestHistoryEvents(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	var ids []string
	for range 3 {
		ids = append(ids, s.speak("Hello.", "")["id"].(string))
	}
	next := s.listen()
	heard := func(data string) {
		t.Helper()
		for {
			if name, got := next(); name == "history" {
				require.JSONEq(t, data, got)
				return
			}
		}
	}
	mark := func(favorite bool, want string) {
		t.Helper()
		a := s.do("POST", "/history/favorite", fmt.Sprintf(`{"ids":[%q,%q,%q],"favorite":%t}`, ids[0], ids[2], itemID, favorite))
		require.Equal(t, 200, a.StatusCode, a.body)
		require.JSONEq(t, want, a.body)
	}
	mark(true, `{"changed":2}`)
	heard(`{"changed":2}`)
	require.Len(t, s.do("GET", "/history?favorite=true", "").items(t), 2)
	mark(true, `{"changed":0}`) // nothing to hear
	require.Equal(t, 200, s.do("PATCH", "/history/"+ids[0], `{"favorite":false}`).StatusCode)
	heard(`{"changed":1}`)
	mark(false, `{"changed":1}`)
	heard(`{"changed":1}`)
	require.Equal(t, 200, s.do("POST", "/history/delete", fmt.Sprintf(`{"ids":[%q,%q]}`, ids[0], ids[1])).StatusCode)
	heard(`{"changed":2}`)
	require.Equal(t, 204, s.do("DELETE", "/history/"+ids[2], "").StatusCode)
	heard(`{"changed":1}`)
	for body, loc := range map[string]string{`{"favorite":true}`: "ids", fmt.Sprintf(`{"ids":[%q]}`, ids[0]): "favorite"} {
		a := s.do("POST", "/history/favorite", body)
		require.Equal(t, 422, a.StatusCode)
		require.Contains(t, a.body, `"loc":["body","`+loc+`"]`)
	}
}
