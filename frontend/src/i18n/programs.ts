/** The programs of others that Voicewright starts, by the names of their files: what their makers call them. */
export const programNames: Readonly<Record<string, string>> = {
  "espeak-ng": "eSpeak NG",
  ffmpeg: "FFmpeg",
  pdftotext: "Poppler",
};
