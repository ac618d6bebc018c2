import { lazy } from 'react';
import { beginsWith } from '../frame/choose.ts';
import type { Viewer } from '../frame/viewer.ts';

export const pdfViewer: Viewer = {
  id: 'pdf',
  opens: {
    types: ['application/pdf', 'application/x-pdf'],
    extensions: ['pdf'],
    startsWith: (head) => beginsWith(head, '%PDF-'),
  },
  // pdf.js reads by ranges, but allocates memory for the whole file.
  limit: { kind: 'bytes', sizeBytes: 2_000_000_000 },
  component: lazy(async () => ({ default: (await import('./pdf-view.tsx')).PdfView })),
};
