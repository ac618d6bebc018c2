import { lazy } from 'react';
import { beginsWith } from '../frame/choose.ts';
import type { Viewer } from '../frame/viewer.ts';

/** Plays sound and video. The browser reads ranges, so files of any size start at once and users can seek. */
export const mediaViewer: Viewer = {
  id: 'media',
  opens: {
    types: [
      /^video\/(?:mp4|webm|ogg|quicktime|x-matroska|x-m4v)$/,
      /^audio\/(?:mpeg|x?-?mp3|mp4|(?:x-)?m4a|aac|ogg|opus|webm|(?:x-|vnd\.)?wave?|(?:x-)?flac)$/,
      'application/ogg',
    ],
    extensions: 'mp4 m4v webm ogv mov mkv mp3 m4a aac ogg oga opus weba wav flac'.split(' '),
    startsWith: isMedia,
  },
  limit: { kind: 'none' },
  component: lazy(async () => ({ default: (await import('./media-view.tsx')).MediaView })),
};

function isMedia(head: Uint8Array): boolean {
  return (
    ['OggS', 'fLaC', 'ID3', 'RIFF????WAVE', '\x1a\x45\xdf\xa3'].some((mark) => beginsWith(head, mark)) ||
    ['ftypisom', 'ftypmp4', 'ftypM4', 'ftypqt', 'ftypiso'].some((mark) => beginsWith(head, mark, 4))
  );
}
