const endings = (
  "3gp 722 aac ac3 aea aif aifc aiff amr ape asf au avi awb caf dav dsf dss dts dtshd dv eac3 ec3 flac flv g722 " +
  "g723_1 g729 gsm gxf ircam latm m2ts m4a m4b m4v mka mkv mlp mov mp2 mp3 mp4 mpc mpeg mpg mts mxf nist nsv nut " +
  "oga ogg ogv oma opus pva qcp ra rm rmvb sf shn sln snd sox spx sph tak tco thd ts tta voc vob w64 wav weba " +
  "webm wma wmv wtv wv"
).split(" ");

/** What fields for audio and video files accept; browsers do not know the kind of each ending. */
export const soundFiles = ["audio/*", "video/*", ...endings.map((ending) => `.${ending}`)].join(",");

const ending = new RegExp(`\\.(${endings.join("|")})$`, "i");

/** Reports whether a file is audio or video. */
export const isSound = (file: Pick<File, "name" | "type">): boolean =>
  /^(audio|video)\//.test(file.type) || ending.test(file.name);
