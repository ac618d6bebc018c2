/** Thrown for a valid image whose compression or colors Cooper cannot decode. */
export class UnknownTiff extends Error {
  override readonly name = 'UnknownTiff';

  constructor(part: 'compression' | 'colors' | 'samples') {
    super(`The ${part} of the image are not known here.`);
  }
}

/** Thrown for a damaged image. */
export class BadTiff extends Error {
  override readonly name = 'BadTiff';
}
