import { lazy } from 'react';
import type { Viewer } from '../frame/viewer.ts';

/** The bytes of any file. No type or name leads to it: the user asks for it. */
export const hexViewer: Viewer = {
  id: 'hex',
  opens: {},
  limit: { kind: 'none' },
  component: lazy(async () => ({ default: (await import('./hex-view.tsx')).HexView })),
};
