import { expect, test } from 'vitest';
import { film } from '../../../../electron/service/samples/kept-files.ts';
import { mediaViewer } from '../../../../renderer/features/viewers/registry.ts';
import { mediaElementFor, isPlaylist } from '../../../../renderer/features/viewers/media/media-kind.ts';

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));

test('a recording is recognised by its first bytes, whatever its name', () => {
  const isMedia = mediaViewer.opens.startsWith;
  expect(isMedia?.(film)).toBe(true);
  expect(isMedia?.(bytes('\0\0\0\x20ftypisom'))).toBe(true);
  expect(isMedia?.(bytes('RIFF\x01\x02\x03\x04WAVEfmt '))).toBe(true);
  expect(isMedia?.(bytes('RIFF\x01\x02\x03\x04WEBPVP8 '))).toBe(false);
  expect(isMedia?.(bytes('<html><video src=x>'))).toBe(false);
});

test('audio files are played without a picture', () => {
  expect(['a.MP3', 'b.flac', 'c.opus'].map(mediaElementFor)).toEqual(['audio', 'audio', 'audio']);
  expect(['a.mp4', 'b.webm', 'c.mov', 'no name'].map(mediaElementFor)).toEqual([
    'video',
    'video',
    'video',
    'video',
  ]);
});

test.each([
  '#EXTM3U\n#EXT-X-TARGETDURATION:9\n',
  '\uFEFF#EXTM3U\n',
  '\n  #extm3u\n',
  '[playlist]\nFile1=https://example.com/a.mp3\n',
  '<asx version="3.0">',
])('a playlist is recognised by its first bytes: %j', (text) => {
  expect(isPlaylist(new TextEncoder().encode(text))).toBe(true);
});

test('recordings are not mistaken for playlists', () => {
  const beginnings = [
    '\0\0\0\u0018ftypmp42',
    'ID3\u0004\0',
    'RIFF\0\0\0\0WAVE',
    'OggS\0',
    '\u001AEß£',
    'fLaC\0',
    '',
  ];
  for (const text of beginnings) expect(isPlaylist(Buffer.from(text, 'latin1'))).toBe(false);
});
