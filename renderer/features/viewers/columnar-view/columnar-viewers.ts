import { lazy } from 'react';
import { beginsWith } from '../frame/choose.ts';
import type { Viewer } from '../frame/viewer.ts';

export const parquetViewer: Viewer = {
  id: 'parquet',
  opens: {
    types: [/^application\/(?:x-|vnd\.apache\.)parquet$/],
    extensions: ['parquet', 'parq', 'pqt'],
    startsWith: (head) => beginsWith(head, 'PAR1'),
  },
  limit: { kind: 'none' },
  component: lazy(async () => ({ default: (await import('./columnar-view.tsx')).ParquetView })),
};

export const arrowViewer: Viewer = {
  id: 'arrow',
  opens: {
    types: [/^application\/(?:x-|vnd\.)apache\.arrow\.(?:file|stream)$/],
    extensions: ['arrow', 'arrows', 'feather', 'ipc'],
    startsWith: (head) => beginsWith(head, 'ARROW1'),
  },
  limit: { kind: 'none' },
  component: lazy(async () => ({ default: (await import('./columnar-view.tsx')).ArrowView })),
};
