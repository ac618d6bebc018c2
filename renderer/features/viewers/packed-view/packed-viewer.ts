import { lazy } from 'react';
import { maxDecompressedBytes } from '../packed/packed-limits.ts';
import { markedPacking } from '../packed/packing.ts';
import type { Viewer } from '../frame/viewer.ts';

/** Shows the content of compressed files and of objects with a Content-Encoding. */
export const packedViewer: Viewer = {
  id: 'packed',
  opens: {
    types: [/^application\/(?:x-)?(?:gzip|zstd|brotli|bzip|bzip2|xz|tgz|gtar-compressed)$/],
    extensions: ['gz', 'tgz', 'svgz', 'zst', 'tzst', 'bz2', 'tbz', 'tbz2', 'tb2', 'xz', 'txz', 'br'],
    startsWith: (head) => markedPacking(head) !== null,
    undoesCodings: true,
  },
  limit: { kind: 'first', sizeBytes: maxDecompressedBytes },
  component: lazy(async () => ({ default: (await import('./packed-view.tsx')).PackedView })),
};
