import { lazy } from 'react';
import type { Viewer } from '../frame/viewer.ts';

export const markdownViewer: Viewer = {
  id: 'markdown',
  opens: {
    types: [/^text\/(?:x-)?markdown$/],
    extensions: ['md', 'markdown', 'mdown'],
  },
  limit: { kind: 'bytes', sizeBytes: 1024 * 1024 },
  isText: true,
  component: lazy(async () => ({ default: (await import('./markdown-view.tsx')).MarkdownView })),
};
