/** What the window asks a worker that looks into the bytes of an image. */
export type ImageQuestion =
  | { readonly kind: 'facts'; readonly bytes: Uint8Array<ArrayBuffer> }
  /** `page`: from 0. */
  | { readonly kind: 'tiff'; readonly bytes: Uint8Array<ArrayBuffer>; readonly page: number };

export type ImageAnswer =
  | { readonly kind: 'facts'; readonly facts: readonly ImageFact[] }
  | { readonly kind: 'picture'; readonly picture: DecodedPicture }
  | { readonly kind: 'too-many-pixels'; readonly width: number; readonly height: number }
  | { readonly kind: 'damaged' };

/** Red, green, blue and opacity of each pixel, from the upper left one on. */
export interface DecodedPicture {
  readonly width: number;
  readonly height: number;
  readonly pages: number;
  readonly rgba: Uint8ClampedArray<ArrayBuffer>;
}

/** What a camera has written into an image, as plain values; words are put to them in the window. */
export type ImageFact =
  | { readonly name: 'camera' | 'lens' | 'program' | 'author' | 'copyright' | 'about'; readonly text: string }
  /** As the camera's clock showed it; its zone is not known. */
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
