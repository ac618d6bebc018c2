import { lazy } from 'react';
import { maxTextBytes } from '../records/record-limits.ts';
import type { Viewer } from '../frame/viewer.ts';

export const csvViewer: Viewer = {
  id: 'csv',
  opens: {
    types: [/^(?:text|application)\/(?:x-)?csv$/, 'text/tab-separated-values', 'text/comma-separated-values'],
    extensions: ['csv', 'tsv', 'tab', 'psv'],
  },
  limit: { kind: 'first', sizeBytes: maxTextBytes },
  isText: true,
  component: lazy(async () => ({ default: (await import('./csv-view.tsx')).CsvView })),
};
