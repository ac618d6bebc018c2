import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseXml } from '../../../../../electron/core/s3/xml/parse.ts';
import {
  escapeXml,
  fitsXml,
  renderComplete,
  renderCreateBucket,
  renderDelete,
} from '../../../../../electron/core/s3/xml/render.ts';
import { errorOf } from '../../../../support/servers/s3-client.ts';

const anyText = fc.string({ unit: 'binary', minLength: 1 });

describe('the body of CompleteMultipartUpload', () => {
  it('lists parts in numeric order with their ETags unchanged', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(
          fc.record({ partNumber: fc.integer({ min: 1, max: 10_000 }), etag: anyText.filter(fitsXml) }),
          { selector: ({ partNumber }) => partNumber, minLength: 1, maxLength: 30 },
        ),
        (parts) => {
          const sent = parseXml(renderComplete(parts))
            .all('Part')
            .map((part) => ({ partNumber: Number(part.child('PartNumber')), etag: part.child('ETag') }));
          expect(sent).toEqual(parts.toSorted((a, b) => a.partNumber - b.partNumber));
        },
      ),
    );
  });
});

describe('the body of DeleteObjects', () => {
  it('carries every key that XML can carry', () => {
    fc.assert(
      fc.property(fc.array(anyText.filter(fitsXml), { minLength: 1, maxLength: 20 }), (keys) => {
        const root = parseXml(renderDelete(keys.map((key) => ({ key, versionId: 'v<1>' }))).body);
        expect(root.all('Object').map((entry) => entry.child('Key'))).toEqual(keys);
        expect(root.all('Object')[0]?.child('VersionId')).toBe('v<1>');
      }),
    );
  });

  it('contains the ETag that a key must have', () => {
    const root = parseXml(renderDelete([{ key: 'a', etag: '"0123"' }, { key: 'b' }]).body);
    expect(root.all('Object').map((entry) => entry.child('ETag') ?? null)).toEqual(['"0123"', null]);
  });

  it('is refused for keys that XML cannot carry', async () => {
    for (const key of ['\u0000', 'a\u001f', '\ufffe', '\ud800']) {
      expect(fitsXml(key)).toBe(false);
      expect(await errorOf(() => renderDelete([{ key }]))).toMatchObject({ reason: 'not-xml' });
    }
  });
});

describe('escaped text in XML', () => {
  it('has line ends as references, since a parser would normalise them', () => {
    expect(escapeXml('a\r\nb\tc')).toBe('a&#13;&#10;b&#9;c');
  });
});

describe('the body of CreateBucket', () => {
  it('contains the region', () => {
    expect(parseXml(renderCreateBucket('eu-west-1')).child('LocationConstraint')).toBe('eu-west-1');
  });
});
