"""Finds the speakers of a raw file of floats at 16 kHz with sherpa-onnx: speakers_sherpa.py SEGMENTATION EMBEDDING THREADS.

A piece of work is the path and how many speakers there are; the amount is the number of turns.
"""

import sys

import numpy
import sherpa_onnx

from work import serve

threads = int(sys.argv[3])
diarization = sherpa_onnx.OfflineSpeakerDiarization(
    sherpa_onnx.OfflineSpeakerDiarizationConfig(
        segmentation=sherpa_onnx.OfflineSpeakerSegmentationModelConfig(
            pyannote=sherpa_onnx.OfflineSpeakerSegmentationPyannoteModelConfig(model=sys.argv[1], window_shift_ratio=0.1),
            num_threads=threads,
        ),
        embedding=sherpa_onnx.SpeakerEmbeddingExtractorConfig(model=sys.argv[2], num_threads=threads),
        clustering=sherpa_onnx.FastClusteringConfig(num_clusters=3),
    )
)


def find(path):
    return len(diarization.process(numpy.fromfile(path, dtype=numpy.float32)).sort_by_start_time())


serve(find)
