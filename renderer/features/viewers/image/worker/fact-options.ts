/** exifr's options: the raw tags of camera and location, without maker notes and data of editing programs. */
export const factOptions = {
  tiff: true,
  exif: true,
  gps: true,
  xmp: false,
  icc: false,
  iptc: false,
  jfif: false,
  ihdr: false,
  makerNote: false,
  userComment: false,
  reviveValues: false,
};
