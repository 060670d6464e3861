package app

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPlacementIsKept(t *testing.T) {
	data := t.TempDir()
	usual := placement{Width: usualWidth, Height: usualHeight}
	require.Equal(t, usual, loadPlacement(data), "the first start")
	p := placement{X: 10, Y: 20, Width: 900, Height: 700, Maximised: true, Screens: []screenSize{{Width: 1920, Height: 1080}}}
	require.NoError(t, p.save(data))
	require.Equal(t, p, loadPlacement(data))
	for _, damaged := range []string{"", "{", `{"width":-5,"height":700}`, `{"width":900,"height":99999}`, `{"width":"a"}`} {
		require.NoError(t, os.WriteFile(filepath.Join(data, "window.json"), []byte(damaged), 0o600))
		require.Equal(t, usual, loadPlacement(data), damaged)
	}
	require.Error(t, p.save(filepath.Join(data, "missing")))
}

func TestPlacementFitsTheScreens(t *testing.T) {
	full := screenSize{Width: 1920, Height: 1080, Current: true}
	side := screenSize{Width: 1280, Height: 1024}
	at := func(x, y int, screens ...screenSize) placement {
		return placement{X: x, Y: y, Width: 1000, Height: 700, Screens: screens}
	}
	for name, c := range map[string]struct {
		p       placement
		screens []screenSize
		placed  bool
		width   int
	}{
		"same screen":          {at(50, 60, full), []screenSize{full}, true, 1000},
		"same screens":         {at(50, 60, full, side), []screenSize{full, side}, true, 1000},
		"partly outside":       {at(-800, 60, full), []screenSize{full}, true, 1000},
		"outside to the left":  {at(-950, 60, full), []screenSize{full}, false, 1000},
		"outside to the right": {at(1900, 60, full), []screenSize{full}, false, 1000},
		"title bar above":      {at(50, -5, full), []screenSize{full}, false, 1000},
		"below":                {at(50, 1060, full), []screenSize{full}, false, 1000},
		"a screen went":        {at(50, 60, full, side), []screenSize{full}, false, 1000},
		"another screen":       {at(50, 60, full), []screenSize{{Width: 900, Height: 600, Current: true}}, false, 900},
		"a tiny screen":        {at(50, 60, full), []screenSize{{Width: 640, Height: 480}}, false, leastWidth},
		"nothing known":        {at(50, 60, full), nil, false, 1000},
		"never placed":         {placement{Width: 1000, Height: 700}, []screenSize{full}, false, 1000},
	} {
		got, placed := c.p.fit(c.screens)
		require.Equal(t, c.placed, placed, name)
		require.Equal(t, c.width, got.Width, name)
		require.Equal(t, c.p.X, got.X, name)
	}
}
