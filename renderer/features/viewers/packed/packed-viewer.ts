import { lazy } from 'react';
import { beginsWith } from '../frame/choose.ts';
import { maxDecompressedBytes } from './packed-limits.ts';
import type { Viewer } from '../frame/viewer.ts';

/** A compressed file, or one compressed in transit, shown as its content. */
export const packedViewer: Viewer = {
  id: 'packed',
  opens: {
    types: [/^application\/(?:x-)?(?:gzip|zstd|brotli|tgz|gtar-compressed)$/],
    extensions: ['gz', 'tgz', 'svgz', 'zst', 'tzst', 'br'],
    startsWith: (head) => beginsWith(head, '\x1f\x8b\x08') || beginsWith(head, '\x28\xb5\x2f\xfd'),
    undoesCodings: true,
  },
  limit: { kind: 'first', sizeBytes: maxDecompressedBytes },
  component: lazy(async () => ({ default: (await import('./packed-view.tsx')).PackedView })),
};
