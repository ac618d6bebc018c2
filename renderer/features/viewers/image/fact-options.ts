/** What is asked of exifr: the tags of camera and place as they are, and nothing of what a maker or an editor adds. */
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
