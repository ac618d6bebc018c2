import { lazy } from 'react';
import { beginsWith } from '../frame/choose.ts';
import type { Viewer } from '../frame/viewer.ts';
import { isHeader } from './tar-header.ts';

const zipExtensions =
  'zip jar war ear apk aar ipa epub docx docm dotx xlsx xlsm pptx pptm odt ods odp odg vsdx nupkg whl crx xpi kmz';

/** Zip archives, also under other names: office documents, Java programs. */
export const zipViewer: Viewer = {
  id: 'zip',
  opens: {
    types: [
      /^application\/(?:x-)?(?:zip|zip-compressed|java-archive)$/,
      /^application\/(?:.+\+zip|vnd\.openxmlformats-officedocument\..+|vnd\.oasis\.opendocument\..+|vnd\.android\.package-archive)$/,
    ],
    extensions: zipExtensions.split(' '),
    startsWith: (head) => beginsWith(head, 'PK\x03\x04') || beginsWith(head, 'PK\x05\x06'),
  },
  limit: { kind: 'none' },
  component: lazy(async () => ({ default: (await import('./zip-view.tsx')).ZipView })),
};

export const tarViewer: Viewer = {
  id: 'tar',
  opens: {
    types: [/^application\/(?:x-)?(?:tar|gtar|ustar)$/],
    extensions: ['tar', 'gem'],
    startsWith: (head) => isHeader(head.subarray(0, 512)),
  },
  limit: { kind: 'none' },
  component: lazy(async () => ({ default: (await import('./tar-view.tsx')).TarView })),
};
