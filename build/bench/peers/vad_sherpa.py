"""Finds speech in a raw file of floats at 16 kHz with sherpa-onnx: vad_sherpa.py NETWORK. The amount is the seconds of speech."""

import sys

import numpy
import sherpa_onnx

from work import serve

config = sherpa_onnx.VadModelConfig(
    silero_vad=sherpa_onnx.SileroVadModelConfig(model=sys.argv[1], window_size=512, max_speech_duration=1e6), sample_rate=16000
)


def find(path):
    samples = numpy.fromfile(path, dtype=numpy.float32)
    detector = sherpa_onnx.VoiceActivityDetector(config, buffer_size_in_seconds=len(samples) / 16000 + 1)
    for start in range(0, len(samples) - 511, 512):
        detector.accept_waveform(samples[start : start + 512])
    detector.flush()
    found = 0
    while not detector.empty():
        found += len(detector.front.samples)
        detector.pop()
    return found / 16000


serve(find)
