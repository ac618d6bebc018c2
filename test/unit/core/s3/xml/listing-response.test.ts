import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeComponent } from '../../../../../electron/core/s3/model/encode.ts';
import { quoteWithout } from '../../../../../electron/core/s3/model/redact.ts';
import { readListing } from '../../../../../electron/core/s3/xml/listing-response.ts';
import { readUploads } from '../../../../../electron/core/s3/xml/multipart-responses.ts';
import { parseXml } from '../../../../../electron/core/s3/xml/parse.ts';
import { escapeXml } from '../../../../../electron/core/s3/xml/render.ts';

const read = (inner: string) =>
  readListing(parseXml(Buffer.from(`<ListBucketResult>${inner}</ListBucketResult>`)));
const element = (name: string, text: string) => `<${name}>${escapeXml(text)}</${name}>`;
const secret = 'Sk0123456789abcdefghijklmnopqrstuvwxyzABCD';
const url = '<EncodingType>url</EncodingType>';
const value = 'a+b%2Bc%20d';

const withSecret = (field: string, before: number): string =>
  element(field, `${'-'.repeat(before)}${secret}${'-'.repeat(99)}`);

/** Returns a listing with this text as every key, part of a key, token and ETag. */
function listingWith(text: string): string {
  return [
    element('Prefix', text),
    element('Delimiter', text),
    element('StartAfter', text),
    element('Marker', text),
    element('NextMarker', text),
    element('NextContinuationToken', text),
    `<Contents>${element('Key', text)}<Size>1</Size>${element('ETag', text)}</Contents>`,
    `<CommonPrefixes>${element('Prefix', text)}</CommonPrefixes>`,
  ].join('');
}

describe('a listing with EncodingType', () => {
  it('decodes Key, Prefix, Delimiter, StartAfter, Marker and NextMarker, but no token or ETag', () => {
    const decoded = 'a b+c d';
    expect(read(url + listingWith(value))).toMatchObject({
      objects: [{ key: decoded, etag: value }],
      commonPrefixes: [decoded],
      prefix: decoded,
      delimiter: decoded,
      startAfter: decoded,
      marker: decoded,
      nextMarkers: [decoded, value],
      nextContinuationToken: value,
    });
  });

  it('decodes NextKeyMarker, but no upload id or upload id marker', () => {
    const root = parseXml(
      Buffer.from(
        `<ListMultipartUploadsResult>${url}<IsTruncated>true</IsTruncated>${element('NextKeyMarker', value)}${element('NextUploadIdMarker', value)}<Upload>${element('Key', value)}${element('UploadId', value)}</Upload></ListMultipartUploadsResult>`,
      ),
    );
    expect(readUploads(root)).toMatchObject({
      uploads: [{ key: 'a b+c d', uploadId: value }],
      next: { keyMarker: 'a b+c d', uploadIdMarker: value },
    });
  });

  it('returns every key unchanged, with spaces sent as + or as %20', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.boolean(), (key, plus) => {
        const encoded = plus ? encodeComponent(key).replaceAll('%20', '+') : encodeComponent(key);
        expect(read(url + listingWith(encoded)).objects[0]?.key).toBe(key);
        expect(read(url + listingWith(encoded)).commonPrefixes).toEqual([key]);
      }),
    );
  });
});

describe('a listing without EncodingType', () => {
  it('decodes nothing', () => {
    expect(read(listingWith(value))).toMatchObject({
      objects: [{ key: value, etag: value }],
      commonPrefixes: [value],
      prefix: value,
      delimiter: value,
      startAfter: value,
      marker: value,
      nextMarkers: [value],
      nextContinuationToken: value,
    });
  });
});

describe('the fields of a listed object', () => {
  it('are null if missing or unreadable, except size and key, without which it is unreadable', () => {
    const object = read('<Contents><Key>k</Key><Size>7</Size><LastModified>soon</LastModified></Contents>');
    expect(object.objects).toEqual([
      { key: 'k', sizeBytes: 7, lastModified: null, etag: null, storageClass: null },
    ]);
    const unreadable = (entry: string) => {
      const response = read(`${entry}<Contents><Key>other</Key><Size>1</Size></Contents>`);
      expect(response.objects.map(({ key }) => key)).toEqual(['other']);
      return response.unreadable;
    };
    expect(unreadable('<Contents><Key>k</Key></Contents>')).toEqual([
      { text: 'Key: k', why: expect.stringMatching(/size/i) as string },
    ]);
    expect(unreadable('<Contents><Key>k</Key><Size>1e3</Size></Contents>')).toEqual([
      { text: 'Key: k\nSize: 1e3', why: expect.stringMatching(/size/i) as string },
    ]);
    expect(unreadable('<Contents><Size>1</Size></Contents>')).toEqual([
      { text: 'Size: 1', why: expect.stringMatching(/without a key/) as string },
    ]);
  });

  it('of an unreadable entry with a secret at the cut are quoted without any part of it', () => {
    for (const before of [20, 280, 299]) {
      const entries = [
        `<Contents>${withSecret('Key', before)}</Contents>`,
        `<Contents><Key>k</Key>${withSecret('Size', before - 10)}</Contents>`,
        `<Contents>${'-'.repeat(before)}${secret}</Contents>`,
      ].join('');
      const root = parseXml(Buffer.from(`<ListBucketResult>${entries}</ListBucketResult>`));
      const { unreadable } = readListing(root, quoteWithout([secret]));
      expect(unreadable).toHaveLength(3);
      for (const { text, why } of unreadable) expect(text + why).not.toContain('Sk0');
    }
  });

  it('with a name that cannot be decoded and holds a secret are described without it', () => {
    const root = parseXml(
      Buffer.from(
        `<ListBucketResult>${url}<CommonPrefixes>${element('Prefix', `%ff${'-'.repeat(80)}${secret}`)}</CommonPrefixes></ListBucketResult>`,
      ),
    );
    const [entry] = readListing(root, quoteWithout([secret])).unreadable;
    expect(entry?.why).toContain('cannot be decoded');
    expect(`${entry?.text}${entry?.why}`).not.toContain('Sk0');
  });
});
