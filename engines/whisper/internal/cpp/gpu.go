//go:build whisper

package cpp

/*
#include "shim.h"
#include <ggml-backend.h>
*/
import "C"

import (
	"strconv"
	"strings"
)

// GPUs returns the GPUs that this build can use, in the order of Options.GPU: cuda:0, metal, ...
func GPUs() []string {
	var gpus []string
	for i := C.size_t(0); i < C.ggml_backend_dev_count(); i++ {
		device := C.ggml_backend_dev_get(i)
		kind := C.ggml_backend_dev_type(device)
		if kind != C.GGML_BACKEND_DEVICE_TYPE_GPU && kind != C.GGML_BACKEND_DEVICE_TYPE_IGPU {
			continue
		}
		family := strings.ToLower(C.GoString(C.ggml_backend_reg_name(C.ggml_backend_dev_backend_reg(device))))
		switch family {
		case "mtl", "metal":
			gpus = append(gpus, "metal")
		default:
			gpus = append(gpus, family+":"+strconv.Itoa(len(gpus)))
		}
	}
	return gpus
}
