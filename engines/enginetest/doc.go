// Package enginetest holds the suite that every speech engine passes, a small engine without any files for the tests of
// other packages, the decoder of the tone voices, and helpers that find models, parity kits and the ONNX Runtime
// library. Only tests import it.
package enginetest
