import { lazy } from 'react';
import { beginsWith } from '../frame/choose.ts';
import type { Viewer } from '../frame/viewer.ts';

/** The signature. Source: Database File Format, section 1.3. */
const mark = 'SQLite format 3\0';

export const sqliteViewer: Viewer = {
  id: 'sqlite',
  opens: {
    types: [/^application\/(?:vnd\.|x-)?sqlite3?$/],
    extensions: ['sqlite', 'sqlite3', 'db3', 'gpkg', 'mbtiles'],
    startsWith: (head) => beginsWith(head, mark),
  },
  // The engine needs all bytes in memory.
  limit: { kind: 'bytes', sizeBytes: 64 * 1024 * 1024 },
  component: lazy(async () => ({ default: (await import('./sqlite-view.tsx')).SqliteView })),
};
