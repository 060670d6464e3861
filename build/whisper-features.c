// Compiled into the library with its own instruction set flags, so that the program can say that this machine lacks one of
// them before the library stops it with an illegal instruction.

const char *voicewright_whisper_features(void) {
	return ""
#ifdef __SSE4_2__
		" sse42"
#endif
#ifdef __POPCNT__
		" popcnt"
#endif
#ifdef __AVX__
		" avx"
#endif
#ifdef __AVX2__
		" avx2"
#endif
#ifdef __FMA__
		" fma"
#endif
#ifdef __BMI__
		" bmi1"
#endif
#ifdef __BMI2__
		" bmi2"
#endif
#ifdef __ADX__
		" adx"
#endif
#ifdef __AVX512F__
		" avx512f"
#endif
#ifdef __AVX512BW__
		" avx512bw"
#endif
#ifdef __AVX512CD__
		" avx512cd"
#endif
#ifdef __AVX512DQ__
		" avx512dq"
#endif
#ifdef __AVX512VL__
		" avx512vl"
#endif
#ifdef __AVX512IFMA__
		" avx512ifma"
#endif
#ifdef __AVX512VBMI__
		" avx512vbmi"
#endif
#ifdef __AVX512VBMI2__
		" avx512vbmi2"
#endif
#ifdef __AVX512VNNI__
		" avx512vnni"
#endif
#ifdef __AVX512BITALG__
		" avx512bitalg"
#endif
#ifdef __AVX512VPOPCNTDQ__
		" avx512vpopcntdq"
#endif
#ifdef __AVX512BF16__
		" avx512bf16"
#endif
#ifdef __GFNI__
		" gfni"
#endif
#ifdef __VAES__
		" vaes"
#endif
#ifdef __VPCLMULQDQ__
		" vpclmulqdq"
#endif
#ifdef __AVXVNNI__
		" avxvnni"
#endif
#ifdef __AMX_TILE__
		" amxtile"
#endif
#ifdef __AMX_INT8__
		" amxint8"
#endif
#ifdef __AMX_BF16__
		" amxbf16"
#endif
#ifdef __ARM_FEATURE_DOTPROD
		" dotprod"
#endif
#ifdef __ARM_FEATURE_MATMUL_INT8
		" i8mm"
#endif
#ifdef __ARM_FEATURE_FP16_VECTOR_ARITHMETIC
		" fp16"
#endif
#ifdef __ARM_FEATURE_SVE
		" sve"
#endif
		;
}
