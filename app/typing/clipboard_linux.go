package typing

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"github.com/voicewright/voicewright/backend"
)

// maxClipboard is the size up to which a former clipboard is kept, in bytes.
const maxClipboard = 64 << 20

// formats are what a selection can be read as, by target atom.
type formats map[xproto.Atom]content

// content is the value of a property.
type content struct {
	kind xproto.Atom
	bits byte // 8, 16 or 32 per item
	data []byte
}

// clipboard owns, serves and reads selections (ICCCM, section 2).
type clipboard struct {
	conn      *xgb.Conn
	window    xproto.Window
	atoms     map[string]xproto.Atom
	piece     int           // the most bytes of one property
	requested chan struct{} // a program has asked for a selection

	answers chan xproto.SelectionNotifyEvent // to our requests
	changed chan xproto.Timestamp            // of the property in which we receive
	clock   chan xproto.Timestamp

	mu    sync.Mutex
	owned map[xproto.Atom]owned

	sending map[destination]*transfer // used by serve only
}

// owned is a selection that this process serves.
type owned struct {
	since   xproto.Timestamp
	formats formats
}

// destination is where a selection is sent in parts.
type destination struct {
	window   xproto.Window
	property xproto.Atom
}

// transfer is the rest of a selection that is sent in parts.
type transfer struct {
	content
	started time.Time
}

func newClipboard(conn *xgb.Conn, window xproto.Window) (*clipboard, error) {
	c := &clipboard{
		conn: conn, window: window, atoms: map[string]xproto.Atom{}, requested: make(chan struct{}, 1),
		answers: make(chan xproto.SelectionNotifyEvent, 8), changed: make(chan xproto.Timestamp, 64),
		clock: make(chan xproto.Timestamp, 8), owned: map[xproto.Atom]owned{}, sending: map[destination]*transfer{},
		piece: min(int(xproto.Setup(conn).MaximumRequestLength)*4-1024, 200_000) &^ 3,
	}
	for _, name := range []string{
		"CLIPBOARD", "TARGETS", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS", "DELETE", "INSERT_SELECTION", "INSERT_PROPERTY", "INCR",
		"UTF8_STRING", "TEXT", "text/plain", "text/plain;charset=utf-8", "x-kde-passwordManagerHint", "VOICEWRIGHT_DATA",
		"VOICEWRIGHT_CLOCK",
	} {
		atom, err := xproto.InternAtom(conn, false, uint16(len(name)), name).Reply()
		if err != nil {
			return nil, fmt.Errorf("get the atom %s: %w", name, err)
		}
		c.atoms[name] = atom.Atom
	}
	return c, nil
}

// text returns the formats of a text. The hint keeps it out of the lists of clipboard managers.
func (c *clipboard) text(text string) formats {
	utf8 := c.atoms["UTF8_STRING"]
	out := formats{
		utf8:                                 {utf8, 8, []byte(text)},
		c.atoms["TEXT"]:                      {utf8, 8, []byte(text)},
		c.atoms["text/plain"]:                {c.atoms["text/plain"], 8, []byte(text)},
		c.atoms["text/plain;charset=utf-8"]:  {c.atoms["text/plain;charset=utf-8"], 8, []byte(text)},
		c.atoms["x-kde-passwordManagerHint"]: {xproto.AtomString, 8, []byte("secret")},
	}
	latin := make([]byte, 0, len(text))
	for _, r := range text {
		if r > 0xff {
			return out
		}
		latin = append(latin, byte(r))
	}
	out[xproto.AtomString] = content{xproto.AtomString, 8, latin}
	return out
}

// own makes this process serve a selection. Errors: typing_unavailable, cancelled.
func (c *clipboard) own(ctx context.Context, selection xproto.Atom, f formats) error {
	now, err := c.now(ctx)
	if err != nil {
		return err
	}
	c.mu.Lock()
	c.owned[selection] = owned{now, f}
	c.mu.Unlock()
	if err := xproto.SetSelectionOwnerChecked(c.conn, c.window, selection, now).Check(); err != nil {
		return noDesktop(err)
	}
	return nil
}

// restore brings back what a selection was, which may be nothing.
func (c *clipboard) restore(ctx context.Context, selection xproto.Atom, former formats) {
	owner, err := xproto.GetSelectionOwner(c.conn, selection).Reply()
	if err != nil || owner.Owner != c.window { // the user has copied something meanwhile
		return
	}
	if len(former) > 0 {
		_ = c.own(ctx, selection, former)
		return
	}
	c.mu.Lock()
	since := c.owned[selection].since
	delete(c.owned, selection)
	c.mu.Unlock()
	_ = xproto.SetSelectionOwnerChecked(c.conn, xproto.WindowNone, selection, since).Check()
}

// now returns the time of the server, which selections need: it comes with the event of any change.
func (c *clipboard) now(ctx context.Context) (xproto.Timestamp, error) {
	drain(c.clock)
	err := xproto.ChangePropertyChecked(c.conn, xproto.PropModeAppend, c.window, c.atoms["VOICEWRIGHT_CLOCK"],
		xproto.AtomString, 8, 0, nil).Check()
	if err != nil {
		return 0, noDesktop(err)
	}
	return receive(ctx, c.clock, answerTime)
}

// read returns what a selection has, as far as its owner hands it over in time; nil if it has no owner.
func (c *clipboard) read(ctx context.Context, selection xproto.Atom) formats {
	owner, err := xproto.GetSelectionOwner(c.conn, selection).Reply()
	switch {
	case err != nil || owner.Owner == xproto.WindowNone:
		return nil
	case owner.Owner == c.window:
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.owned[selection].formats
	}
	ctx, cancel := context.WithTimeout(ctx, clipboardTime)
	defer cancel()
	targets, err := c.fetch(ctx, selection, c.atoms["TARGETS"])
	if err != nil {
		return nil
	}
	out, size := formats{}, 0
	for _, target := range atoms(targets.data) {
		if c.isProtocol(target) {
			continue
		}
		value, err := c.fetch(ctx, selection, target)
		if size += len(value.data); size > maxClipboard || ctx.Err() != nil {
			break
		}
		if err == nil {
			out[target] = value
		}
	}
	return out
}

// isProtocol reports whether a target is no format of the content: reading it means or does something else.
func (c *clipboard) isProtocol(target xproto.Atom) bool {
	names := []string{"TARGETS", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS", "DELETE", "INSERT_SELECTION", "INSERT_PROPERTY"}
	return slices.ContainsFunc(names, func(name string) bool { return c.atoms[name] == target })
}

// fetch reads one format of a selection.
func (c *clipboard) fetch(ctx context.Context, selection, target xproto.Atom) (content, error) {
	drain(c.answers)
	property := c.atoms["VOICEWRIGHT_DATA"]
	if err := xproto.ConvertSelectionChecked(c.conn, c.window, selection, target, property, xproto.TimeCurrentTime).Check(); err != nil {
		return content{}, err
	}
	for {
		answer, err := receive(ctx, c.answers, answerTime)
		switch {
		case err != nil:
			return content{}, err
		case answer.Selection != selection || answer.Target != target: // a late one
			continue
		case answer.Property == xproto.AtomNone:
			return content{}, errors.New("the owner does not have this format")
		}
		drain(c.changed)
		value, err := c.property()
		if err != nil || value.kind != c.atoms["INCR"] {
			return value, err
		}
		return c.parts(ctx)
	}
}

// property reads and deletes the property in which we receive.
func (c *clipboard) property() (content, error) {
	value, err := xproto.GetProperty(c.conn, true, c.window, c.atoms["VOICEWRIGHT_DATA"], xproto.GetPropertyTypeAny, 0, maxClipboard/4).Reply()
	if err != nil {
		return content{}, err
	}
	return content{value.Type, value.Format, value.Value}, nil
}

// parts reads what is sent in parts; an empty one is the last.
func (c *clipboard) parts(ctx context.Context) (content, error) {
	var whole content
	for {
		if _, err := receive(ctx, c.changed, answerTime); err != nil {
			return content{}, err
		}
		part, err := c.property()
		switch {
		case err != nil:
			return content{}, err
		case len(part.data) == 0:
			return whole, nil
		case len(whole.data)+len(part.data) > maxClipboard:
			return content{}, errors.New("the clipboard is too large")
		}
		whole = content{part.kind, part.bits, append(whole.data, part.data...)}
	}
}

func (c *clipboard) resetRequests() { drain(c.requested) }

// serve handles the events of the window until the connection ends.
func (c *clipboard) serve() {
	for {
		event, err := c.conn.WaitForEvent()
		switch e := event.(type) {
		case xproto.SelectionRequestEvent:
			c.answer(e)
		case xproto.SelectionClearEvent:
			c.mu.Lock()
			if e.Time >= c.owned[e.Selection].since {
				delete(c.owned, e.Selection)
			}
			c.mu.Unlock()
		case xproto.SelectionNotifyEvent:
			offer(c.answers, e)
		case xproto.PropertyNotifyEvent:
			c.propertyChanged(e)
		case nil:
			if err == nil { // closed, or the server is gone
				return
			}
		}
	}
}

func (c *clipboard) propertyChanged(e xproto.PropertyNotifyEvent) {
	switch {
	case e.Window == c.window && e.Atom == c.atoms["VOICEWRIGHT_CLOCK"]:
		offer(c.clock, e.Time)
	case e.Window == c.window && e.State == xproto.PropertyNewValue:
		offer(c.changed, e.Time)
	case e.State == xproto.PropertyDelete:
		c.sendPart(destination{e.Window, e.Atom})
	}
}

// answer hands a selection to the program that asked for it.
func (c *clipboard) answer(e xproto.SelectionRequestEvent) {
	if e.Property == xproto.AtomNone { // old programs
		e.Property = e.Target
	}
	done := xproto.SelectionNotifyEvent{Time: e.Time, Requestor: e.Requestor, Selection: e.Selection, Target: e.Target, Property: e.Property}
	value, ok := c.content(e.Selection, e.Target)
	if !ok || c.put(destination{e.Requestor, e.Property}, value) != nil {
		done.Property = xproto.AtomNone
	}
	_ = xproto.SendEventChecked(c.conn, false, e.Requestor, xproto.EventMaskNoEvent, string(done.Bytes())).Check()
	if ok {
		offer(c.requested, struct{}{})
	}
}

// content returns a format of a selection that this process owns.
func (c *clipboard) content(selection, target xproto.Atom) (content, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	own, ok := c.owned[selection]
	if !ok {
		return content{}, false
	}
	switch target {
	case c.atoms["TARGETS"]:
		list := []xproto.Atom{c.atoms["TARGETS"], c.atoms["TIMESTAMP"]}
		for target := range own.formats {
			list = append(list, target)
		}
		var data []byte
		for _, atom := range list {
			data = binary.LittleEndian.AppendUint32(data, uint32(atom))
		}
		return content{xproto.AtomAtom, 32, data}, true
	case c.atoms["TIMESTAMP"]:
		return content{xproto.AtomInteger, 32, binary.LittleEndian.AppendUint32(nil, uint32(own.since))}, true
	}
	value, ok := own.formats[target]
	return value, ok
}

// put writes a value to the window of another program, or begins to send it in parts.
func (c *clipboard) put(to destination, value content) error {
	if len(value.data) <= c.piece {
		return c.write(to, value)
	}
	mask := []uint32{xproto.EventMaskPropertyChange}
	if err := xproto.ChangeWindowAttributesChecked(c.conn, to.window, xproto.CwEventMask, mask).Check(); err != nil {
		return err
	}
	for other, t := range c.sending { // programs that ended in the middle
		if time.Since(t.started) > time.Minute {
			delete(c.sending, other)
		}
	}
	c.sending[to] = &transfer{value, time.Now()}
	size := binary.LittleEndian.AppendUint32(nil, uint32(len(value.data)))
	return c.write(to, content{c.atoms["INCR"], 32, size})
}

// sendPart sends the next part of a value whose former part was read.
func (c *clipboard) sendPart(to destination) {
	t := c.sending[to]
	if t == nil {
		return
	}
	n := min(len(t.data), c.piece)
	if c.write(to, content{t.kind, t.bits, t.data[:n]}) != nil || n == 0 {
		delete(c.sending, to)
	}
	t.data = t.data[n:]
	offer(c.requested, struct{}{})
}

func (c *clipboard) write(to destination, value content) error {
	items := len(value.data)
	if value.bits >= 8 {
		items /= int(value.bits / 8)
	}
	return xproto.ChangePropertyChecked(c.conn, xproto.PropModeReplace, to.window, to.property, value.kind, value.bits,
		uint32(items), value.data).Check()
}

// atoms returns the atoms in the data of a property.
func atoms(data []byte) (list []xproto.Atom) {
	for ; len(data) >= 4; data = data[4:] {
		list = append(list, xproto.Atom(binary.LittleEndian.Uint32(data)))
	}
	return list
}

// offer sends to a channel, or drops the value where nobody reads.
func offer[T any](to chan T, value T) {
	select {
	case to <- value:
	default:
	}
}

func drain[T any](from chan T) {
	for {
		select {
		case <-from:
		default:
			return
		}
	}
}

// receive reads from a channel. Errors: typing_unavailable after the limit, cancelled.
func receive[T any](ctx context.Context, from chan T, limit time.Duration) (value T, err error) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case value = <-from:
		return value, nil
	case <-timer.C:
		return value, noDesktop(errors.New("no answer in time"))
	case <-ctx.Done():
		return value, backend.ErrCancelled.WithCause(ctx.Err())
	}
}
