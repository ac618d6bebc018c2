/** Messages from the window to the worker that makes thumbnails. */
export interface ThumbnailQuestion {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** True if the bytes are the whole image, false if they are its beginning. */
  readonly isWhole: boolean;
}

export type ThumbnailAnswer =
  | { readonly kind: 'made'; readonly picture: Blob }
  /** The beginning has no embedded thumbnail, so the whole image is needed. */
  | { readonly kind: 'wants-whole' }
  /** The image is damaged, too large, or in a format that the engine does not draw. */
  | { readonly kind: 'none' };
