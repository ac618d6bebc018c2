/** exifr's options: the raw tags of camera and place, without maker notes or editors' data. */
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
