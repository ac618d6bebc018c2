/** Messages from the window to the worker that makes thumbnails. */
export interface ThumbnailQuestion {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** True if the bytes are the whole image; otherwise they are its beginning. */
  readonly isWhole: boolean;
}

export type ThumbnailAnswer =
  | { readonly kind: 'made'; readonly picture: Blob }
  /** The beginning has no embedded thumbnail: the whole image is needed. */
  | { readonly kind: 'wants-whole' }
  /** Not an image that the engine draws, too many pixels, or damaged. */
  | { readonly kind: 'none' };
