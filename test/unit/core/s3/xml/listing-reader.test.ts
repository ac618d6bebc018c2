import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readListing } from '../../../../../electron/core/s3/xml/listing-response.ts';
import { readListingPage } from '../../../../../electron/core/s3/xml/listing-reader.ts';
import { parseTime, parseWithLibrary } from '../../../../../electron/core/s3/xml/parse.ts';
import type { ListedObject } from '../../../../../electron/core/s3/model/listing-types.ts';

interface Read {
  readonly objects: readonly ListedObject[];
  readonly isTruncated: boolean;
}

/** Reads the text in pieces of a length that is most often shorter than the text. */
function quickly(text: string | Buffer, pieceBytes = 150): Read | null {
  const objects: ListedObject[] = [];
  const end = readListingPage(
    Buffer.from(text),
    {
      object: (key, sizeBytes, lastModified, etag, storageClass, isAscii, owner) => {
        expect(isAscii && /[^\0-\x7f]/.test(key)).toBe(false);
        const whose = owner === null ? {} : { owner };
        objects.push({ key, sizeBytes, lastModified: parseTime(lastModified), etag, storageClass, ...whose });
      },
    },
    { details: true, pieceBytes },
  );
  return end === null ? null : { objects, isTruncated: end.isTruncated };
}

/** Like `quickly`, but reads only the values that a search needs. */
function roughly(text: string): readonly (readonly [string, number])[] | null {
  const objects: (readonly [string, number])[] = [];
  const visitor = { object: (key: string, sizeBytes: number) => objects.push([key, sizeBytes]) };
  return readListingPage(Buffer.from(text), visitor, { details: false, pieceBytes: 150 }) === null
    ? null
    : objects;
}

function byLibrary(text: string): Read | null {
  try {
    const root = parseWithLibrary(text);
    if (root.name !== 'ListBucketResult') return null;
    const { objects, isTruncated } = readListing(root);
    return { objects, isTruncated };
  } catch {
    return null;
  }
}

const goodWord = fc.constantFrom(
  'a',
  'Key',
  '0',
  '17',
  ' ',
  '\n',
  '\t',
  '&amp;',
  '&quot;',
  '&#x1F600;',
  '&#1;',
  '&lt;',
  '%41',
  '+',
  '%F0%9F%98%80',
  'é',
  '😀',
  'true',
  '"',
  '&quot;abc&quot;',
  '&quot;0123456789abcdef-2&quot;',
);
const badWord = fc.constantFrom('&', '&bad;', '%', '%ff', ']]>', '>', '&#xD800;', '&quot', '<b/>', '\r');
const word = fc.oneof({ weight: 60, arbitrary: goodWord }, { weight: 1, arbitrary: badWord });
const text = fc.array(word, { maxLength: 4 }).map((words) => words.join(''));
const key = fc.oneof(text, fc.constantFrom('photos/2026/a.jpg', 'a+b', 'a%2Fb', '..', '%00'));
const element = (name: string, content: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  content.map((inside) => `<${name}>${inside}</${name}>`);
const inObject = fc.oneof(
  element(
    'LastModified',
    fc.oneof(text, fc.constant('2026-01-11T08:30:00.000Z'), fc.constant('2026-01-11T08:30:00Z')),
  ),
  element('ETag', fc.oneof(text, fc.constant('&quot;9e107d9d372bb6826bd81d3542a419d6&quot;'))),
  element('StorageClass', fc.oneof(text, fc.constant('STANDARD'))),
  fc.constantFrom(
    '<Owner><ID>1</ID><DisplayName>n</DisplayName></Owner>',
    '<Owner><ID>1</ID><DisplayName>n</DisplayName></Owner>',
    '<Owner><ID>1&amp;2</ID></Owner>',
    '<Owner><DisplayName>é</DisplayName><ID>3</ID></Owner>',
    '<Owner><DisplayName/><ID>4</ID></Owner>',
    '<Owner><ID>5</ID><ID>6</ID></Owner>',
  ),
  fc.constant('<RestoreStatus><IsRestoreInProgress>false</IsRestoreInProgress></RestoreStatus>'),
  fc.constant('<StorageClass/>'),
  fc.constant('<ChecksumAlgorithm>CRC32</ChecksumAlgorithm>'),
  fc.constant('<Owner/>'),
  fc.constant('\n  '),
);
const size = element(
  'Size',
  fc.oneof(fc.nat().map(String), fc.constantFrom('', '-1', '007', '1e3', '99999999999999999999')),
);
const object = fc
  .tuple(
    element('Key', key),
    size,
    fc.uniqueArray(inObject, { maxLength: 4, selector: (xml) => xml.slice(0, 8) }),
  )
  .map(([first, second, rest]) => `<Contents>${first}${second}${rest.join('')}</Contents>`);
const inRoot = fc.oneof(
  { weight: 6, arbitrary: object },
  element('Prefix', text),
  element('NextContinuationToken', text),
  fc.constant('<Prefix/>'),
  fc.constant('\n'),
);
const oddity = fc.constantFrom(
  '<CommonPrefixes><Prefix>a/</Prefix></CommonPrefixes>',
  '<!-- a comment -->',
  '<Contents/>',
  'x',
);
const document = fc
  .tuple(
    fc.constantFrom('', '<?xml version="1.0" encoding="UTF-8"?>\n'),
    fc.constantFrom('', ' xmlns="http://s3.amazonaws.com/doc/2006-03-01/"'),
    element('IsTruncated', fc.constantFrom('true', 'false', 'true', 'false', 'TRUE', '', ' true')),
    fc.option(element('EncodingType', fc.constantFrom('url', 'url', 'url', 'URL', ''))),
    fc.array(inRoot, { maxLength: 8 }),
    fc.oneof({ weight: 10, arbitrary: fc.constantFrom('', '\n') }, { weight: 1, arbitrary: oddity }),
    fc.oneof(
      { weight: 10, arbitrary: fc.constantFrom('', '\n') },
      { weight: 1, arbitrary: fc.constantFrom('x', '<Error/>') },
    ),
  )
  .map(
    ([start, attributes, flag, encoding, inside, odd, end]) =>
      `${start}<ListBucketResult${attributes}>${flag}${odd}${inside.join('')}${encoding ?? ''}</ListBucketResult>${end}`,
  );

test('the fast listing reader handles text that starts like an ETag and holds another reference', () => {
  const xml =
    '<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>k</Key><Size>1</Size>' +
    '<LastModified>&quot;&amp;a</LastModified></Contents></ListBucketResult>';
  expect(quickly(xml)?.objects).toEqual(byLibrary(xml)?.objects);
  expect(roughly(xml)).toEqual([['k', 1]]);
});

test('the fast listing reader yields the same objects as the library, or nothing', () => {
  let read = 0;
  fc.assert(
    fc.property(document, fc.integer({ min: 1, max: 400 }), (xml, pieceBytes) => {
      const quick = quickly(xml, pieceBytes);
      expect(quick).toEqual(quickly(xml, Buffer.byteLength(xml)));
      if (quick === null) return;
      read += 1;
      expect(quick).toEqual(byLibrary(xml));
      expect(roughly(xml)).toEqual(quick.objects.map(({ key: name, sizeBytes }) => [name, sizeBytes]));
    }),
    { numRuns: 4000 },
  );
  expect(read).toBeGreaterThan(100);
});

const entry = (name: string): string =>
  `<Contents><Key>${name}</Key><LastModified>2026-01-11T08:30:00.000Z</LastModified><ETag>&quot;0f&quot;</ETag><Size>12</Size><StorageClass>COLD</StorageClass></Contents>`;

test('the fast listing reader never misreads a truncated or altered document', () => {
  const whole = `<?xml version="1.0"?>\n<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>true</IsTruncated>${entry('a%20b')}${entry('b&amp;')}</ListBucketResult>`;
  expect(quickly(whole)).toEqual(byLibrary(whole));
  expect(quickly(whole)?.objects).toHaveLength(2);
  for (let at = 0; at < whole.length; at += 1) {
    const changed = [
      whole.slice(0, at),
      whole.slice(0, at) + whole.slice(at + 1),
      `${whole.slice(0, at)}<${whole.slice(at)}`,
    ];
    for (const xml of changed) {
      const quick = quickly(xml);
      expect(quick === null || isDeepStrictEqual(quick, byLibrary(xml)) ? null : xml).toBeNull();
    }
  }
});

test('the fast listing reader handles what services really send', () => {
  const aws = `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name><Prefix/><KeyCount>1</KeyCount><MaxKeys>1000</MaxKeys><EncodingType>url</EncodingType><IsTruncated>false</IsTruncated><Contents><Key>a</Key><LastModified>2026-01-11T08:30:00.000Z</LastModified><ETag>&quot;9e107d9d372bb6826bd81d3542a419d6&quot;</ETag><ChecksumAlgorithm>CRC32</ChecksumAlgorithm><Size>1</Size><Owner><ID>1</ID><DisplayName>n</DisplayName></Owner><StorageClass>STANDARD</StorageClass></Contents></ListBucketResult>`;
  expect(quickly(aws)?.objects).toEqual([
    {
      key: 'a',
      sizeBytes: 1,
      lastModified: '2026-01-11T08:30:00.000Z',
      etag: '"9e107d9d372bb6826bd81d3542a419d6"',
      storageClass: 'STANDARD',
      owner: 'n',
    },
  ]);
});

const page = (keys: readonly string[]): string =>
  `<ListBucketResult><IsTruncated>true</IsTruncated>\n${keys.map(entry).join('\n')}\n</ListBucketResult>`;

function keysOf(xml: string | Buffer): readonly string[] | undefined {
  return quickly(xml, 96 * 1024)?.objects.map(({ key: name }) => name);
}

test('the fast listing reader reads a page of several pieces completely, and nothing that follows its end', () => {
  const names = Array.from({ length: 1000 }, (_, at) => `photos/été-${String(at)}.jpg`);
  expect(keysOf(page(names))).toEqual(names);
  expect(keysOf(page([...names, 'x'.repeat(100_000), 'y']))).toHaveLength(1002);
  expect(keysOf(page(names) + page(names))).toBeUndefined();
  expect(keysOf(page(names).slice(0, -'</ListBucketResult>'.length))).toBeUndefined();
  const damaged = Buffer.from(page(names));
  damaged[damaged.lastIndexOf('été')] = 0xff;
  expect(keysOf(damaged)).toBeUndefined();
});
