"""Speaks texts with piper-tts into a file: speak_piper.py VOICE.onnx. The amount is the seconds of sound."""

import os
import sys
import tempfile
import wave

from piper import PiperVoice

from work import serve

voice = PiperVoice.load(sys.argv[1])


def speak(text):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "sound.wav")
        with wave.open(path, "wb") as file:
            voice.synthesize_wav(text, file)
        with wave.open(path, "rb") as file:
            return file.getnframes() / file.getframerate()


serve(speak)
