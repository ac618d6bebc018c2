/** Messages from the window to the worker that makes thumbnails. */
export interface ThumbnailQuestion {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The bytes are all that the image has; else they are its beginning. */
  readonly isWhole: boolean;
}

export type ThumbnailAnswer =
  | { readonly kind: 'made'; readonly picture: Blob }
  /** Nothing is embedded in the beginning: the whole image is wanted. */
  | { readonly kind: 'wants-whole' }
  /** It is no image of a kind that the engine draws, or it claims too many pixels, or it is damaged. */
  | { readonly kind: 'none' };
