package indicator

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"github.com/voicewright/voicewright/app/internal/x11"
)

// The window in pixels and its colours as 0xRRGGBB.
const (
	width, height, dot = 44, 28, 14
	dark, red          = 0x20232b, 0xe5484d
	name               = "Voicewright: microphone open"
)

type xWindow struct {
	conn  *xgb.Conn
	ended sync.WaitGroup
}

// open shows the window at the top of the screen, out of the reach of window managers.
func open() (window, error) {
	if os.Getenv("DISPLAY") == "" {
		return nil, errors.New("DISPLAY is not set")
	}
	conn, err := x11.Connect()
	if err != nil {
		return nil, fmt.Errorf("connect to the X server: %w", err)
	}
	w := &xWindow{conn: conn}
	paint, err := w.create()
	if err != nil {
		conn.Close()
		return nil, err
	}
	w.ended.Go(func() {
		for {
			switch event, err := conn.WaitForEvent(); {
			case event == nil && err == nil: // closed, or the server is gone
				return
			case event != nil:
				if _, ok := event.(xproto.ExposeEvent); ok {
					paint()
				}
			}
		}
	})
	return w, nil
}

// create creates the window and returns what draws the dot.
func (w *xWindow) create() (paint func(), err error) {
	screen := xproto.Setup(w.conn).DefaultScreen(w.conn)
	id, err := xproto.NewWindowId(w.conn)
	if err != nil {
		return nil, fmt.Errorf("create a window: %w", err)
	}
	pen, err := xproto.NewGcontextId(w.conn)
	if err != nil {
		return nil, fmt.Errorf("create a pen: %w", err)
	}
	left := (int16(screen.WidthInPixels) - width) / 2
	err = errors.Join(
		xproto.CreateWindowChecked(w.conn, screen.RootDepth, id, screen.Root, left, 8, width, height, 0, xproto.WindowClassInputOutput,
			screen.RootVisual, xproto.CwBackPixel|xproto.CwOverrideRedirect|xproto.CwEventMask, []uint32{dark, 1, xproto.EventMaskExposure}).Check(),
		xproto.ChangePropertyChecked(w.conn, xproto.PropModeReplace, id, xproto.AtomWmName, xproto.AtomString, 8,
			uint32(len(name)), []byte(name)).Check(),
		xproto.CreateGCChecked(w.conn, pen, xproto.Drawable(id), xproto.GcForeground, []uint32{red}).Check(),
		xproto.MapWindowChecked(w.conn, id).Check(),
	)
	if err != nil {
		return nil, fmt.Errorf("show the window: %w", err)
	}
	circle := []xproto.Arc{{X: (width - dot) / 2, Y: (height - dot) / 2, Width: dot, Height: dot, Angle2: 360 * 64}}
	return func() { xproto.PolyFillArc(w.conn, xproto.Drawable(id), pen, circle) }, nil
}

func (w *xWindow) close() {
	w.conn.Close()
	w.ended.Wait()
}
