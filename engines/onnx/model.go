package onnx

import (
	"fmt"
	"math"
	"slices"
)

// Value is an input or output of a graph.
type Value struct {
	Name string
	Type Type // Undefined where a graph does not say
	Rank int  // number of dimensions; AnyRank where a graph or an engine does not say
}

// AnyRank means any number of dimensions.
const AnyRank = -1

// String returns name, type and rank for messages, such as "scales float32 rank 1".
func (v Value) String() string {
	if v.Rank == AnyRank {
		return fmt.Sprintf("%s %s", v.Name, v.Type)
	}
	return fmt.Sprintf("%s %s rank %d", v.Name, v.Type, v.Rank)
}

// Model is the structure of an ONNX file.
type Model struct {
	Inputs  []Value        // to be fed, in the file's order; initializers are left out
	Outputs []Value        // in the file's order
	Ops     map[string]int // operator to number of nodes, nested graphs and functions included
	Opset   int            // version of the standard operators; 0 where the file does not say
	// Metadata is what the file says about itself, by key; values of more than 4 KiB are left out.
	Metadata map[string]string

	producers map[string]string  // operator to the first output of its node in the main graph, empty when there are several
	dims      map[string][]int64 // input or output to its dimensions
	outside   map[string]int64   // file beside the graph to the number of bytes that the weights need of it
}

// AnySize stands for a dimension that a graph leaves open.
const AnySize = -1

// Dims returns the dimensions of an input or output, AnySize for the open ones; nil where the graph does not say.
func (m Model) Dims(name string) []int64 { return m.dims[name] }

// Made returns the output of the only node with this operator in the main graph; ok is false when there is none or more
// than one.
func (m Model) Made(op string) (tensor string, ok bool) {
	tensor = m.producers[op]
	return tensor, tensor != ""
}

// randomOps are the operators that draw noise inside the runtime (ONNX operator specification).
var randomOps = [...]string{
	"Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike",
}

// Random reports whether the graph draws noise by itself, so that two equal runs may differ.
func (m Model) Random() bool { return m.randoms() > 0 }

// randoms counts the nodes that draw noise.
func (m Model) randoms() int {
	n := 0
	for _, op := range randomOps {
		n += m.Ops[op]
	}
	return n
}

// Inspect reads the structure of an ONNX file without loading its weights and without the library
// (protobuf field numbers: onnx.proto). Error: backend.CodeModelCorrupt for a file that is truncated or not an ONNX file.
func Inspect(path string) (Model, error) {
	f, size, err := OpenFile(path)
	if err != nil {
		return Model{}, err
	}
	defer func() { _ = f.Close() }()
	p := parser{wire: newWire(f), model: newModel(), initialized: map[string]bool{}}
	if err := p.file(size); err != nil {
		return Model{}, Corrupt(path, "is damaged or cut off").WithCause(err)
	}
	// Files of IR version 3 list weights as inputs too, of which they are only the defaults.
	p.model.Inputs = slices.DeleteFunc(p.model.Inputs, func(in Value) bool { return p.initialized[in.Name] })
	return p.model, nil
}

func newModel() Model {
	return Model{
		Ops: map[string]int{}, Metadata: map[string]string{},
		producers: map[string]string{}, dims: map[string][]int64{}, outside: map[string]int64{},
	}
}

// maxDepth limits nested graphs; real ones have two or three levels.
const maxDepth = 32

type parser struct {
	*wire
	model       Model
	initialized map[string]bool
	graphs      int
}

func (p *parser) file(size int64) error {
	err := p.each(size, func(f field) error {
		switch {
		case f.number == 7 && f.kind == wireBytes: // ModelProto.graph
			p.graphs++
			return p.graph(f.end, 0)
		case f.number == 8 && f.kind == wireBytes: // ModelProto.opset_import
			return p.opset(f.end)
		case f.number == 14 && f.kind == wireBytes: // ModelProto.metadata_props
			return p.metadata(f.end)
		case f.number == 25 && f.kind == wireBytes: // ModelProto.functions
			return p.nodes(f.end, 7, 1) // FunctionProto.node
		}
		return nil
	})
	if err != nil {
		return err
	}
	if p.graphs != 1 || len(p.model.Outputs) == 0 {
		return fmt.Errorf("%w: no graph with outputs in %d bytes", errWire, size)
	}
	return nil
}

// opset reads an OperatorSetIdProto and keeps the version of the standard operators.
func (p *parser) opset(end int64) error {
	domain, version := "", 0
	err := p.each(end, func(f field) (err error) {
		switch {
		case f.number == 1:
			domain, err = p.text(f)
		case f.number == 2 && f.kind == wireVarint:
			version = int(f.value)
		}
		return err
	})
	if standard(domain) {
		p.model.Opset = version
	}
	return err
}

// metadata reads a StringStringEntryProto.
func (p *parser) metadata(end int64) error {
	var key, value string
	err := p.each(end, func(f field) (err error) {
		switch {
		case f.kind != wireBytes || f.end-f.start > maxName:
		case f.number == 1:
			key, err = p.text(f)
		case f.number == 2:
			value, err = p.text(f)
		}
		return err
	})
	if key != "" && value != "" {
		p.model.Metadata[key] = value
	}
	return err
}

// standard reports whether a domain is that of the operators of ONNX itself.
func standard(domain string) bool { return domain == "" || domain == "ai.onnx" }

// graph reads a GraphProto; depth 0 is the model's own.
func (p *parser) graph(end int64, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("%w: graphs nested deeper than %d", errWire, maxDepth)
	}
	return p.each(end, func(f field) error {
		switch {
		case f.kind != wireBytes:
			return nil
		case f.number == 1:
			return p.node(f.end, depth)
		case depth > 0:
			return nil
		case f.number == 5: // initializer
			return p.initializer(f.end)
		case f.number == 11:
			return p.value(f.end, &p.model.Inputs)
		case f.number == 12:
			return p.value(f.end, &p.model.Outputs)
		}
		return nil
	})
}

// nodes reads the nodes of a message that holds them in the field with the given number.
func (p *parser) nodes(end int64, number, depth int) error {
	return p.each(end, func(f field) error {
		if f.number == number && f.kind == wireBytes {
			return p.node(f.end, depth)
		}
		return nil
	})
}

// node reads a NodeProto: its operator, and the graphs in its attributes.
func (p *parser) node(end int64, depth int) error {
	var output, op string
	err := p.each(end, func(f field) (err error) {
		switch {
		case f.number == 2 && output == "": // output
			output, err = p.text(f)
			return err
		case f.number == 4: // op_type
			op, err = p.text(f)
			return err
		case f.number == 5 && f.kind == wireBytes: // attribute
			return p.each(f.end, func(a field) error {
				if (a.number == 6 || a.number == 11) && a.kind == wireBytes { // g, graphs
					return p.graph(a.end, depth+1)
				}
				return nil
			})
		}
		return nil
	})
	p.model.Ops[op]++
	if depth == 0 {
		if _, more := p.model.producers[op]; more {
			output = ""
		}
		p.model.producers[op] = output
	}
	return err
}

// initializer reads the name of a TensorProto, and where its data is if that is another file.
func (p *parser) initializer(end int64) error {
	var where extent
	err := p.each(end, func(f field) error {
		switch {
		case f.number == 8: // name
			name, err := p.text(f)
			p.initialized[name] = true
			return err
		case f.number == 13 && f.kind == wireBytes: // external_data
			return where.read(p.wire, f.end)
		}
		return nil
	})
	if where.file != "" {
		p.model.outside[where.file] = max(p.model.outside[where.file], where.offset+where.length)
	}
	return err
}

// value reads a ValueInfoProto.
func (p *parser) value(end int64, to *[]Value) error {
	v := Value{Rank: AnyRank}
	var dims []int64
	if err := spend(&p.names, nameCost); err != nil {
		return err
	}
	err := p.each(end, func(f field) error {
		switch {
		case f.number == 1: // name
			name, err := p.text(f)
			v.Name = name
			return err
		case f.number == 2 && f.kind == wireBytes: // type
			return p.each(f.end, func(t field) error {
				if t.number == 1 && t.kind == wireBytes { // tensor_type
					return p.tensorType(t.end, &v, &dims)
				}
				return nil
			})
		}
		return nil
	})
	*to = append(*to, v)
	p.model.dims[v.Name] = dims
	return err
}

// tensorType reads a TypeProto.Tensor.
func (p *parser) tensorType(end int64, v *Value, dims *[]int64) error {
	return p.each(end, func(f field) error {
		switch {
		case f.number == 1 && f.kind == wireVarint: // elem_type
			v.Type = Type(f.value)
		case f.number == 2 && f.kind == wireBytes: // shape
			v.Rank = 0
			return p.each(f.end, func(d field) error {
				if d.number != 1 || d.kind != wireBytes { // dim
					return nil
				}
				v.Rank++
				size := int64(AnySize)
				err := p.each(d.end, func(n field) error {
					if n.number == 1 && n.kind == wireVarint && n.value <= math.MaxInt32 { // dim_value
						size = int64(n.value)
					}
					return nil
				})
				*dims = append(*dims, size)
				return err
			})
		}
		return nil
	})
}
