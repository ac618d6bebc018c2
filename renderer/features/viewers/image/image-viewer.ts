import { lazy } from 'react';
import type { Viewer } from '../frame/viewer.ts';
import { imageTypeOf } from './parts/image-type.ts';

/**
 * Images that the browser engine draws, and TIFF and HEIC, which are decoded here. An SVG inside <img> runs no script and loads
 * nothing.
 */
export const imageViewer: Viewer = {
  id: 'image',
  opens: {
    types: [
      /^image\/(?:png|apng|tiff|hei[cf]|jpe?g|pjpeg|gif|webp|avif|bmp|x-ms-bmp|x-icon|vnd\.microsoft\.icon|svg\+xml)$/,
    ],
    extensions: [
      'png',
      'apng',
      'jpg',
      'jpeg',
      'jfif',
      'gif',
      'webp',
      'avif',
      'bmp',
      'ico',
      'svg',
      'tif',
      'tiff',
      'heic',
      'heif',
    ],
    startsWith: (head) => imageTypeOf(head) !== null,
  },
  limit: { kind: 'settings' },
  component: lazy(async () => ({ default: (await import('./image-view.tsx')).ImageView })),
};
