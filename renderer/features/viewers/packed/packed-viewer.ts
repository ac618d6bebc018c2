import { lazy } from 'react';
import { beginsWith } from '../frame/choose.ts';
import type { Viewer } from '../frame/viewer.ts';

/** What is packed by itself, or on its way: shown as what is inside. */
export const packedViewer: Viewer = {
  id: 'packed',
  opens: {
    types: [/^application\/(?:x-)?(?:gzip|zstd|brotli|tgz|gtar-compressed)$/],
    extensions: ['gz', 'tgz', 'svgz', 'zst', 'tzst', 'br'],
    startsWith: (head) => beginsWith(head, '\x1f\x8b\x08') || beginsWith(head, '\x28\xb5\x2f\xfd'),
    encodings: ['gzip', 'x-gzip', 'zstd', 'br'],
  },
  limit: { kind: 'none' },
  component: lazy(async () => ({ default: (await import('./packed-view.tsx')).PackedView })),
};
