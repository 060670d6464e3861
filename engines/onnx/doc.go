// Package onnx runs ONNX graphs on the CPU through the ONNX Runtime shared library: it finds and loads the
// library when the first model is opened, checks what a graph takes and gives before it is used, and turns
// the library's failures into errors with codes. Tensors are plain Go slices; nothing has to be freed but sessions.
package onnx
