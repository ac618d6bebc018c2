import { describe, expect, test } from 'vitest';
import { detailsOf, previewOf } from '../../../../electron/core/browse/object-details.ts';
import { mediaTypeOf, createTickets } from '../../../../electron/core/bytes/tickets.ts';
import type { ObjectHead } from '../../../../electron/core/s3/model/object-types.ts';
import { manualClock } from '../../../support/core/fake-ports.ts';

const head = (change: Partial<ObjectHead> = {}): ObjectHead => ({
  sizeBytes: 1000,
  etag: '"e"',
  lastModified: null,
  contentType: 'text/plain',
  storageClass: null,
  versionId: null,
  metadata: {},
  headers: {},
  ...change,
});

const preview = (key: string, change: Partial<ObjectHead> = {}, limitBytes = 10_000_000) =>
  previewOf({ connectionId: 'c', bucket: 'b', key }, head(change), {
    tickets: createTickets(manualClock()),
    limitBytes,
  });

describe('the media type for playback', () => {
  test.each([
    ['a.mp4', null, 'video/mp4'],
    ['a', 'video/mp4; codecs="avc1"', 'video/mp4'],
    ['a.MP3', 'binary/octet-stream', 'audio/mpeg'],
    ['a', 'audio/x-wav', 'audio/wav'],
    ['a.mov', 'application/octet-stream', 'video/quicktime'],
    ['a.ts', 'video/mp2t', null],
    ['a.html', 'text/html', null],
    ['a.svg', 'image/svg+xml', null],
    ['constructor', null, null],
    ['a', '__proto__', null],
  ])('of %s with content type %s', (key, type, media) => {
    expect(mediaTypeOf(key, type)).toBe(media);
  });
});

describe('a preview', () => {
  test("of an object of any size has a ticket and the object's properties", () => {
    const shown = preview('a.png', { contentType: 'image/png', sizeBytes: 5e12 });
    expect(shown).toEqual({
      kind: 'object',
      path: expect.stringMatching(/^\/bytes\/[A-Za-z0-9_-]{22}$/) as unknown,
      sizeBytes: 5e12,
      etag: '"e"',
      lastModified: null,
      contentType: 'image/png',
      contentEncoding: null,
      storageClass: null,
      isPlayable: false,
      limitBytes: 10_000_000,
    });
  });

  test('of a recording is playable, unless it has a content encoding', () => {
    expect(preview('a.mp4', { contentType: 'video/mp4' })).toMatchObject({ isPlayable: true });
    const headers = { 'content-encoding': 'gzip' };
    expect(preview('a.mp4', { headers })).toMatchObject({ isPlayable: false, contentEncoding: 'gzip' });
  });

  test('ignores content codings that encode nothing', () => {
    const headers = { 'content-encoding': 'aws-chunked, identity' };
    expect(preview('a.txt', { headers })).toMatchObject({ contentEncoding: null });
  });

  test.each([
    ['empty', { sizeBytes: 0 }],
    ['archived', { storageClass: 'GLACIER' }],
    ['archived', { storageClass: 'DEEP_ARCHIVE', headers: { 'x-amz-restore': 'ongoing-request="true"' } }],
    [
      'archived',
      { storageClass: 'INTELLIGENT_TIERING', headers: { 'x-amz-archive-status': 'ARCHIVE_ACCESS' } },
    ],
  ] as const)('does not exist for an object that is unsuitable (%s)', (why, change) => {
    expect(preview('a.txt', change)).toEqual({ kind: 'none', why });
  });

  test('does not exist if the user has turned previews off', () => {
    expect(preview('a.txt', {}, 0)).toEqual({ kind: 'none', why: 'off' });
  });

  test('exists for an archived object that was restored', () => {
    const headers = {
      'x-amz-restore': 'ongoing-request="false", expiry-date="Fri, 21 Dec 2029 00:00:00 GMT"',
    };
    expect(preview('a.txt', { storageClass: 'GLACIER', headers })).toMatchObject({ kind: 'object' });
  });
});

describe('object details', () => {
  test.each([
    [{}, null],
    [{ 'x-amz-server-side-encryption': 'AES256' }, 'AES256'],
    [
      { 'x-amz-server-side-encryption': 'aws:kms', 'x-amz-server-side-encryption-aws-kms-key-id': 'arn:key' },
      'aws:kms, key arn:key',
    ],
    [{ 'x-amz-server-side-encryption-customer-algorithm': 'AES256' }, 'AES256, key of the customer'],
  ])('name the encryption of %j', (headers, encryption) => {
    expect(detailsOf(head({ headers })).encryption).toBe(encryption);
  });

  test('contain every header and redact those that hold secrets', () => {
    const { headers, metadata } = detailsOf(
      head({
        headers: { etag: '"e"', 'set-cookie': 'session=1' },
        metadata: { __proto__x: '1', author: 'Ünï' },
      }),
    );
    expect(headers).toEqual({ etag: '"e"', 'set-cookie': '[redacted]' });
    expect(metadata).toEqual({ __proto__x: '1', author: 'Ünï' });
  });
});
