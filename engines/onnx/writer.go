package onnx

import "encoding/binary"

// message is a protobuf message that is being written. Each method returns the message with one more field.
type message []byte

func (m message) number(field int, v uint64) message {
	return binary.AppendUvarint(m.key(field, wireVarint), v)
}

func (m message) bytes(field int, body []byte) message {
	m = binary.AppendUvarint(m.key(field, wireBytes), uint64(len(body)))
	return append(m, body...)
}

func (m message) text(field int, s string) message { return m.bytes(field, []byte(s)) }

func (m message) key(field, kind int) message {
	return binary.AppendUvarint(m, uint64(field)<<3|uint64(kind))
}

// copied returns the message with a field of w, unchanged.
func (m message) copied(w *wire, f field) (message, error) {
	if f.kind == wireVarint {
		return m.number(f.number, f.value), spend(&w.bodies, binary.MaxVarintLen64)
	}
	body, err := w.body(f)
	if err != nil {
		return nil, err
	}
	if f.kind == wireBytes {
		return m.bytes(f.number, body), nil
	}
	return append(m.key(f.number, f.kind), body...), nil
}
