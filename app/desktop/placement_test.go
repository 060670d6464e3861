package desktop

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPlacementIsSaved(t *testing.T) {
	data := t.TempDir()
	initial := placement{Width: defaultWidth, Height: defaultHeight}
	require.Equal(t, initial, loadPlacement(data), "the first start")
	p := placement{X: 10, Y: 20, Width: 900, Height: 700, Placed: true, Maximised: true, Language: "de"}
	require.NoError(t, p.save(data))
	require.Equal(t, p, loadPlacement(data))
	for _, damaged := range []string{"", "{", `{"width":-5,"height":700}`, `{"width":900,"height":99999}`, `{"width":"a"}`} {
		require.NoError(t, os.WriteFile(filepath.Join(data, "window.json"), []byte(damaged), 0o600))
		require.Equal(t, initial, loadPlacement(data), damaged)
	}
	require.Error(t, p.save(filepath.Join(data, "missing")))
}

func TestPlacementFitsTheScreens(t *testing.T) {
	full := screen{Width: 1920, Height: 1080, Current: true}
	side := screen{X: 1920, Y: 56, Width: 1280, Height: 1024}
	left := screen{X: -1280, Width: 1280, Height: 1024}
	tiny := screen{Width: 640, Height: 480}
	at := func(x, y int) placement { return placement{X: x, Y: y, Width: 1000, Height: 700, Placed: true} }
	for name, c := range map[string]struct {
		p       placement
		screens []screen
		placed  bool
		width   int
	}{
		"on the screen":            {at(50, 60), []screen{full}, true, 1000},
		"on the second screen":     {at(2000, 60), []screen{full, side}, true, 1000},
		"on a screen before":       {at(-1200, 0), []screen{full, left}, true, 1000},
		"partly outside":           {at(-800, 60), []screen{full}, true, 1000},
		"between two screens":      {at(1400, 60), []screen{full, side}, true, 1000},
		"outside to the left":      {at(-950, 60), []screen{full}, false, 1000},
		"outside to the right":     {at(1900, 60), []screen{full}, false, 1000},
		"title bar above":          {at(50, -5), []screen{full}, false, 1000},
		"above a lower screen":     {at(2000, 10), []screen{full, side}, false, 1000},
		"below":                    {at(50, 1060), []screen{full}, false, 1000},
		"its screen was removed":   {at(2000, 60), []screen{full}, false, 1000},
		"a smaller screen":         {at(50, 60), []screen{{Width: 900, Height: 650}}, true, 900},
		"a tiny screen":            {at(50, 60), []screen{tiny}, true, minWidth},
		"off screen, small screen": {at(5000, 60), []screen{{Width: 850, Height: 600, Current: true}}, false, 850},
		"no known screen":          {at(50, 60), nil, false, 1000},
		"never placed":             {placement{Width: 1000, Height: 700}, []screen{full}, false, 1000},
	} {
		got := c.p.fit(c.screens)
		require.Equal(t, c.placed, got.Placed, name)
		require.Equal(t, c.width, got.Width, name)
		require.Equal(t, c.p.X, got.X, name)
	}
}
