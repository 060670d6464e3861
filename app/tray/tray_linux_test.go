//go:build desktop && xserver

package tray

import (
	"log/slog"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/desktoptest"
)

const watcher = "org.kde.StatusNotifierWatcher"

// area is a notification area: it gets the bus names of the icons.
type area struct{ icons chan string }

func (a *area) RegisterStatusNotifierItem(_ string, from dbus.Sender) *dbus.Error {
	a.icons <- string(from)
	return nil
}

// appear takes the name of the notification area, as a desktop does at its start, and returns the first icon. systray asks for an
// area before it listens for a new one and misses one that comes between the two, so the area starts again until an icon comes.
func (a *area) appear(t *testing.T, bus *dbus.Conn) string {
	t.Helper()
	for end := time.Now().Add(desktoptest.Timeout); time.Now().Before(end); {
		_, err := bus.ReleaseName(watcher)
		require.NoError(t, err)
		_, err = bus.RequestName(watcher, dbus.NameFlagDoNotQueue)
		require.NoError(t, err)
		select {
		case icon := <-a.icons:
			return icon
		case <-time.After(time.Second):
		}
	}
	require.FailNow(t, "no icon came")
	return ""
}

// layout is a menu as the bus carries it: id, properties, entries.
type layout struct {
	ID         int32
	Properties map[string]dbus.Variant
	Entries    []dbus.Variant
}

// TestTray shows the icon in a notification area that comes later or starts again, reads its menu and clicks on it.
func TestTray(t *testing.T) {
	desktoptest.Bus(t)
	clicked := make(chan string, 4)
	icon := Open(slog.New(slog.DiscardHandler), "Voicewright", Icon(), []Item{
		{"Show", func() { clicked <- "Show" }}, {"Read the clipboard aloud", func() { clicked <- "Read" }},
	})
	t.Cleanup(icon.Close)

	bus, err := dbus.ConnectSessionBus()
	require.NoError(t, err)
	t.Cleanup(func() { _ = bus.Close() })
	a := &area{make(chan string, 4)}
	require.NoError(t, bus.Export(a, "/StatusNotifierWatcher", watcher))

	item := bus.Object(a.appear(t, bus), "/StatusNotifierItem")
	var title string
	require.NoError(t, item.StoreProperty("org.kde.StatusNotifierItem.Title", &title))
	require.Equal(t, "Voicewright", title)
	pixels, err := item.GetProperty("org.kde.StatusNotifierItem.IconPixmap")
	require.NoError(t, err)
	require.Contains(t, pixels.String(), "64")

	menu := bus.Object(item.Destination(), "/StatusNotifierItem/menu")
	require.Equal(t, []string{"Show", "Read the clipboard aloud"}, labels(t, menu))
	click(t, menu, 1)
	require.Equal(t, "Read", receive(t, clicked))
	require.NoError(t, item.Call("org.kde.StatusNotifierItem.Activate", 0, int32(0), int32(0)).Err)
	require.Equal(t, "Show", receive(t, clicked))

	icon.SetLabels([]string{"Zeigen", "Zwischenablage vorlesen"})
	require.Equal(t, []string{"Zeigen", "Zwischenablage vorlesen"}, labels(t, menu))
}

// labels returns the labels of a menu.
func labels(t *testing.T, menu dbus.BusObject) (all []string) {
	t.Helper()
	for _, entry := range entries(t, menu) {
		all = append(all, entry.Properties["label"].Value().(string))
	}
	return all
}

func click(t *testing.T, menu dbus.BusObject, n int) {
	t.Helper()
	call := menu.Call("com.canonical.dbusmenu.Event", 0, entries(t, menu)[n].ID, "clicked", dbus.MakeVariant(""), uint32(0))
	require.NoError(t, call.Err)
}

func entries(t *testing.T, menu dbus.BusObject) []layout {
	t.Helper()
	var revision uint32
	var root layout
	call := menu.Call("com.canonical.dbusmenu.GetLayout", 0, int32(0), int32(-1), []string{})
	require.NoError(t, call.Store(&revision, &root))
	all := make([]layout, len(root.Entries))
	for i, entry := range root.Entries {
		require.NoError(t, dbus.Store([]any{entry.Value()}, &all[i]))
	}
	return all
}

func receive(t *testing.T, c <-chan string) string {
	t.Helper()
	select {
	case s := <-c:
		return s
	case <-time.After(desktoptest.Timeout):
		require.FailNow(t, "nothing came")
		return ""
	}
}
