import { lazy } from 'react';
import type { Viewer } from '../frame/viewer.ts';

/** Shows the bytes of any file. It opens only when the user asks for it, never by type or name. */
export const hexViewer: Viewer = {
  id: 'hex',
  opens: {},
  limit: { kind: 'none' },
  component: lazy(async () => ({ default: (await import('./hex-view.tsx')).HexView })),
};
