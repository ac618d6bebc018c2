/** The window's request to the worker that parses images. */
export type ImageQuestion =
  | { readonly kind: 'facts'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'svg'; readonly bytes: Uint8Array<ArrayBuffer> }
  /** `page`: from 0. */
  | { readonly kind: 'tiff'; readonly bytes: Uint8Array<ArrayBuffer>; readonly page: number };

/** The window's request to the worker that decodes HEIC images. */
export interface HeicQuestion {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The address of the decoder's WebAssembly, which is compressed by gzip. */
  readonly decoder: string;
}

export type ImageResponse =
  | { readonly kind: 'facts'; readonly facts: readonly ImageFact[] }
  | { readonly kind: 'picture'; readonly picture: DecodedPicture }
  /** The work of drawing an SVG, in plain elements. */
  | { readonly kind: 'svg'; readonly work: number }
  | { readonly kind: 'too-many-pixels'; readonly width: number; readonly height: number }
  /** A valid image of a kind that Cooper cannot decode. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'damaged' };

/** Returns the memory that a response hands over to the window. */
export function memoryOf(response: ImageResponse): Transferable[] {
  return response.kind === 'picture' ? [response.picture.rgba.buffer] : [];
}

/** Red, green, blue and opacity of each pixel, starting at the upper left. */
export interface DecodedPicture {
  readonly width: number;
  readonly height: number;
  readonly pages: number;
  readonly rgba: Uint8ClampedArray<ArrayBuffer>;
}

/** A camera's data in an image, as plain values; the window adds the texts. */
export type ImageFact =
  | { readonly name: 'camera' | 'lens' | 'program' | 'author' | 'copyright' | 'about'; readonly text: string }
  /** The camera's local time, in an unknown time zone. */
  | { readonly name: 'taken'; readonly text: string }
  | {
      readonly name: 'exposure';
      readonly seconds: number | null;
      readonly aperture: number | null;
      readonly iso: number | null;
      readonly focalLengthMm: number | null;
    }
  | {
      readonly name: 'place';
      readonly latitude: number;
      readonly longitude: number;
      readonly altitudeM: number | null;
    };

/** Limit of drawn pixels: each takes four bytes of memory. */
export const maxPixels = 100_000_000;
/** Maximum estimated effort of drawing, counted in plain elements. More would block the window for seconds. */
export const maxSvgWork = 100_000;
