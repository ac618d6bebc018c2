import { describe, expect, test } from 'vitest';
import { detailsOf } from '../../../../electron/core/browse/details.ts';
import { previewKindOf } from '../../../../electron/core/bytes/preview-kind.ts';
import { previewOf, textLimitBytes } from '../../../../electron/core/browse/preview.ts';
import { createTickets } from '../../../../electron/core/bytes/tickets.ts';
import type { ObjectHead } from '../../../../electron/core/s3/types.ts';
import { manualClock } from '../../../support/fake-ports.ts';

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

describe('the kind of a preview', () => {
  test.each([
    ['a.png', 'image/png', { kind: 'image', contentType: 'image/png' }],
    ['a', 'image/jpg', { kind: 'image', contentType: 'image/jpeg' }],
    ['a', 'IMAGE/PNG; x=y', { kind: 'image', contentType: 'image/png' }],
    ['a.svg', null, { kind: 'image', contentType: 'image/svg+xml' }],
    ['a.JPG', 'binary/octet-stream', { kind: 'image', contentType: 'image/jpeg' }],
    ['a.pdf', 'application/octet-stream', { kind: 'pdf' }],
    ['a', 'application/pdf', { kind: 'pdf' }],
    ['a', 'application/ld+json', { kind: 'text', language: 'json' }],
    ['a.json', 'text/plain', { kind: 'text', language: 'json' }],
    ['a.html', 'text/html', { kind: 'text', language: 'xml' }],
    ['a.csv', null, { kind: 'text', language: 'csv' }],
    ['logs/app.log.2024-05-01', null, { kind: 'text', language: 'log' }],
    ['README', null, { kind: 'text', language: 'plain' }],
    ['dir/Makefile', '', { kind: 'text', language: 'plain' }],
    ['a.js', 'application/javascript', { kind: 'text', language: 'plain' }],
    ['a.ts', 'video/mp2t', { kind: 'text', language: 'plain' }],
    ['a.mp4', 'video/mp4', { kind: 'unknown' }],
    ['a.png', 'video/mp4', { kind: 'unknown' }],
    ['a.zip', null, { kind: 'unknown' }],
    ['constructor', null, { kind: 'unknown' }],
    ['a.__proto__', null, { kind: 'unknown' }],
    ['dir/', null, { kind: 'unknown' }],
  ])('of %s with type %s', (key, type, kind) => {
    expect(previewKindOf(key, type)).toEqual(kind);
  });
});

describe('a preview', () => {
  test('of an image within the limit has a ticket', () => {
    const shown = preview('a.png', { contentType: 'image/png' });
    expect(shown).toMatchObject({ kind: 'image' });
    expect('path' in shown ? shown.path : '').toMatch(/^\/bytes\/[A-Za-z0-9_-]{22}$/);
  });

  test.each([
    ['too-large', 'a.png', { contentType: 'image/png', sizeBytes: 10_000_001 }],
    ['too-large', 'a.pdf', { contentType: 'application/pdf', sizeBytes: 10_000_001 }],
    ['empty', 'a.txt', { sizeBytes: 0 }],
    ['unknown-type', 'a.bin', { contentType: 'application/zip' }],
    ['archived', 'a.txt', { storageClass: 'GLACIER' }],
    [
      'archived',
      'a.txt',
      { storageClass: 'DEEP_ARCHIVE', headers: { 'x-amz-restore': 'ongoing-request="true"' } },
    ],
    [
      'archived',
      'a.txt',
      { storageClass: 'INTELLIGENT_TIERING', headers: { 'x-amz-archive-status': 'ARCHIVE_ACCESS' } },
    ],
    ['unknown-type', 'a.txt', { headers: { 'content-encoding': 'gzip' } }],
  ] as const)('there is none (%s) for %s', (why, key, change) => {
    expect(preview(key, change)).toEqual({ kind: 'none', why, limitBytes: 10_000_000 });
  });

  test('of an archived object that was restored is there', () => {
    const headers = {
      'x-amz-restore': 'ongoing-request="false", expiry-date="Fri, 21 Dec 2029 00:00:00 GMT"',
    };
    expect(preview('a.txt', { storageClass: 'GLACIER', headers })).toMatchObject({ kind: 'text' });
  });

  test('of a long text shows its beginning and says how much', () => {
    expect(preview('a.log', { sizeBytes: 5_000_000_000 })).toMatchObject({
      kind: 'text',
      language: 'log',
      truncatedAtBytes: textLimitBytes,
    });
    expect(preview('a.log', { sizeBytes: textLimitBytes })).toMatchObject({ truncatedAtBytes: null });
    expect(preview('a.log', { sizeBytes: 500 }, 100)).toMatchObject({ truncatedAtBytes: 100 });
    expect(preview('a.log', {}, 0)).toMatchObject({ kind: 'none', why: 'too-large' });
  });
});

describe('details', () => {
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

  test('have every header but those that are secrets', () => {
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
