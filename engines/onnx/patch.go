package onnx

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"

	"github.com/voicewright/voicewright/backend/filename"
)

// inline is the size of weights, in bytes, from which a patched graph points into the original file.
const inline = 4 << 10

// inlineOf returns inline for a graph in a folder. All weights stay in a graph in a long path of Windows: ONNX Runtime resolves the
// folder of the others with functions that do not take every such path.
func inlineOf(system, folder string) int64 {
	if filename.Long(system, folder) != folder {
		return math.MaxInt64
	}
	return inline
}

// patched is a graph with other nodes or outputs than its file has.
type patched struct {
	graph  []byte // ModelProto, small: its weights stay in the files
	folder string // folder of the files with the weights, links resolved
}

// errNotSeedable says that a graph has random nodes that cannot be replaced.
var errNotSeedable = errors.New("a random node cannot be replaced")

// patch reads the file at path, which model describes, and applies o.Seeded and o.Expose: it replaces random nodes by
// nodes that compute noise from a seed, and lists tensors as outputs. Large weights are not read: the patched graph
// refers to their place in the original file (external data, onnx.proto). errNotSeedable means that a random node is in
// a nested graph or a function, or cannot be replaced.
func patch(path string, model Model, o SessionOptions) (patched, error) {
	if o.Seeded && contains(model.Inputs, seedInput) {
		return patched{}, errNotSeedable
	}
	target, err := filepath.EvalSymlinks(path) // the hub's cache keeps files as links to blobs in another folder
	if err != nil {
		return patched{}, fmt.Errorf("resolve path: %w", err)
	}
	if target, err = filepath.Abs(target); err != nil {
		return patched{}, fmt.Errorf("resolve path: %w", err)
	}
	f, size, err := OpenFile(target)
	if err != nil {
		return patched{}, err
	}
	defer func() { _ = f.Close() }()
	p := patcher{
		wire: newWire(f), expose: o.Expose, beside: filepath.Dir(path),
		folder: filepath.Dir(target), file: filepath.Base(target), inline: inlineOf(runtime.GOOS, filepath.Dir(target)),
	}
	if o.Seeded {
		p.noise = newNoise(model.Opset)
	}
	out, err := p.model(size)
	if err != nil {
		return patched{}, err
	}
	if o.Seeded && p.noise.count != model.randoms() {
		return patched{}, errNotSeedable
	}
	return patched{graph: out, folder: p.folder}, nil
}

type patcher struct {
	*wire
	noise  *noise   // nil leaves random nodes as they are
	expose []string // tensors to list as outputs
	beside string   // the folder that the original's own external data is relative to
	folder string   // the folder of the file behind path
	file   string   // its name there
	inline int64    // the size of weights, in bytes, from which the patched graph points into it
}

// model copies a ModelProto and rewrites its graph.
func (p *patcher) model(end int64) (out message, err error) {
	err = p.each(end, func(f field) (err error) {
		if f.number == 7 && f.kind == wireBytes {
			var graph message
			if graph, err = p.graph(f.end); err == nil {
				out = out.bytes(f.number, graph)
			}
			return err
		}
		out, err = out.copied(p.wire, f)
		return err
	})
	return out, err
}

// graph copies a GraphProto: its nodes with those of the noise, references to its large weights, the seed as an extra
// input, and the tensors to expose as outputs.
func (p *patcher) graph(end int64) (out message, err error) {
	err = p.each(end, func(f field) (err error) {
		switch {
		case f.kind == wireBytes && f.number == 1: // node
			out, err = p.node(out, f)
		case f.kind == wireBytes && f.number == 5: // initializer
			var tensor message
			if tensor, err = p.weights(f.end); err == nil {
				out = out.bytes(f.number, tensor)
			}
		default:
			out, err = out.copied(p.wire, f)
		}
		return err
	})
	for _, name := range p.expose {
		out = out.bytes(12, message(nil).text(1, name))
	}
	if p.noise != nil {
		one := message(nil).bytes(1, message(nil).number(1, 1)) // TensorShapeProto [1]
		tensor := message(nil).number(1, uint64(Int64)).bytes(2, one)
		out = out.bytes(11, message(nil).text(1, seedInput).bytes(2, message(nil).bytes(1, tensor)))
	}
	return out, err
}

// node adds a node, or the nodes that replace a random one.
func (p *patcher) node(out message, f field) (message, error) {
	body, err := p.body(f)
	if err != nil {
		return nil, err
	}
	if p.noise != nil && bytes.Contains(body, []byte("Random")) {
		d, ok, err := readDrawn(body)
		if err != nil {
			return nil, err
		}
		if ok {
			if !p.noise.replace(d) {
				return nil, errNotSeedable
			}
			out = append(out, p.noise.nodes...)
			p.noise.nodes = p.noise.nodes[:0]
			return out, nil
		}
	}
	return out.bytes(1, body), nil
}

// weights copies a TensorProto; large data becomes a reference to its place in the file.
func (p *patcher) weights(end int64) (out message, err error) {
	err = p.each(end, func(f field) (err error) {
		switch {
		case f.number == 9 && f.kind == wireBytes && f.end-f.start >= p.inline: // raw_data
			out = out.bytes(13, entry("location", p.file)).
				bytes(13, entry("offset", strconv.FormatInt(f.start, 10))).
				bytes(13, entry("length", strconv.FormatInt(f.end-f.start, 10))).
				number(14, 1) // data_location is external
		case f.number == 13 && f.kind == wireBytes: // external_data
			var body message
			if body, err = p.external(f.end); err == nil {
				out = out.bytes(f.number, body)
			}
		default:
			out, err = out.copied(p.wire, f)
		}
		return err
	})
	return out, err
}

// entry returns a StringStringEntryProto.
func entry(key, value string) message { return message(nil).text(1, key).text(2, value) }

// external copies an entry about weights in another file. The path of that file is made relative to the folder with
// links resolved.
func (p *patcher) external(end int64) (message, error) {
	key, value, err := p.pair(end)
	if err != nil || key != "location" {
		return entry(key, value), err
	}
	target, err := filepath.EvalSymlinks(filepath.Join(p.beside, filepath.FromSlash(value)))
	if err != nil {
		return nil, fmt.Errorf("find the weights in %s: %w", value, err)
	}
	if target, err = filepath.Abs(target); err != nil {
		return nil, fmt.Errorf("find the weights in %s: %w", value, err)
	}
	relative, err := filepath.Rel(p.folder, target)
	if err != nil || !filepath.IsLocal(relative) {
		return nil, fmt.Errorf("the weights in %s are outside the folder of the graph: %w", value, errWire)
	}
	return entry(key, filepath.ToSlash(relative)), nil
}

// replaceable lists the operators that noise can replace.
var replaceable = []string{"RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike"}

// readDrawn reads a NodeProto; ok reports whether it is replaceable.
func readDrawn(body []byte) (d drawn, ok bool, err error) {
	d = drawn{sd: 1, high: 1}
	w, domain := newWire(bytes.NewReader(body)), ""
	err = w.each(int64(len(body)), func(f field) (err error) {
		switch {
		case f.number == 1:
			d.input, err = w.text(f)
		case f.number == 2:
			d.output, err = w.text(f)
		case f.number == 4:
			d.op, err = w.text(f)
		case f.number == 7:
			domain, err = w.text(f)
		case f.number == 5 && f.kind == wireBytes:
			var a attribute
			if a, err = readAttribute(w, f.end); err == nil {
				err = d.set(a)
			}
		}
		return err
	})
	if !d.like() && d.dtype == Undefined {
		d.dtype = Float32
	}
	return d, standard(domain) && slices.Contains(replaceable, d.op), err
}

// attribute is an AttributeProto with a number or a list of numbers.
type attribute struct {
	name  string
	int   int64
	float float32
	ints  []int64
}

func readAttribute(w *wire, end int64) (a attribute, err error) {
	err = w.each(end, func(f field) (err error) {
		switch {
		case f.number == 1:
			a.name, err = w.text(f)
		case f.number == 2 && f.kind == wireFixed32: // f
			var raw []byte
			if raw, err = w.body(f); err == nil {
				a.float = math.Float32frombits(binary.LittleEndian.Uint32(raw))
			}
		case f.number == 3 && f.kind == wireVarint: // i
			a.int = int64(f.value)
		case f.number == 8 && f.kind == wireVarint: // ints
			a.ints = append(a.ints, int64(f.value))
		case f.number == 8 && f.kind == wireBytes: // ints, packed
			a.ints, err = w.varints(f)
		}
		if err == nil && len(a.ints) > maxRank {
			err = fmt.Errorf("%w: a list of more than %d numbers at byte %d", errWire, maxRank, f.start)
		}
		return err
	})
	return a, err
}

// set applies an attribute of the node. The attribute seed is left out: the runtime draws with it only once per session.
func (d *drawn) set(a attribute) error {
	switch a.name {
	case "dtype":
		d.dtype = Type(a.int)
	case "mean":
		d.mean = a.float
	case "scale":
		d.sd = a.float
	case "low":
		d.low = a.float
	case "high":
		d.high = a.float
	case "shape":
		d.shape = a.ints
		if !drawable(a.ints) {
			return fmt.Errorf("%w: noise of the shape %v", errWire, a.ints)
		}
	}
	return nil
}

// The limits of noise with a fixed shape: dimensions and numbers.
const (
	maxRank  = 64
	maxDrawn = 1 << 24
)

// drawable reports whether noise of a shape fits into memory.
func drawable(shape []int64) bool {
	elements := int64(1)
	for _, dim := range shape {
		if dim < 0 || dim > maxDrawn || elements*dim > maxDrawn {
			return false
		}
		elements *= dim
	}
	return true
}
