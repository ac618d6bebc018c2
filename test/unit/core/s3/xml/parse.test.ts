import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeEntities } from '../../../../../electron/core/s3/xml/text.ts';
import { expectRoot, parseCount, parseXml } from '../../../../../electron/core/s3/xml/parse.ts';
import { escapeXml, fitsXml } from '../../../../../electron/core/s3/xml/render.ts';
import { errorOf } from '../../../../support/servers/s3-client.ts';

const parse = (xml: string) => parseXml(Buffer.from(xml, 'utf8'));
const failureOf = async (xml: string | Uint8Array) =>
  await errorOf(() => parseXml(typeof xml === 'string' ? Buffer.from(xml) : xml));

describe('the XML parser', () => {
  it('keeps numbers and booleans as strings', () => {
    const root = parse('<R><K>007</K><K>1e5</K><K>true</K><K>0x1F</K><K>NaN</K><K>1.0</K></R>');
    expect(root.all('K').map((k) => k.text)).toEqual(['007', '1e5', 'true', '0x1F', 'NaN', '1.0']);
  });

  it('does not trim text', () => {
    const root = parse('<R><K> a </K><K>   </K><K>\n</K></R>');
    expect(root.all('K').map((k) => k.text)).toEqual([' a ', '   ', '\n']);
  });

  it('decodes entities and character references exactly once', () => {
    const root = parse('<R><K>&amp;amp; &lt; &#38;lt; &#x1F600; &#65;&quot;&apos;&gt;</K></R>');
    expect(root.child('K')).toBe('&amp; < &lt; \u{1f600} A"\'>');
  });

  it('keeps control characters written as references', () => {
    expect(parse('<R><K>a&#1;b&#x1f;c&#13;d</K></R>').child('K')).toBe('a\u0001b\u001fc\rd');
  });

  it('returns any text that XML can carry unchanged', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).filter((text) => fitsXml(text)),
        (text) => {
          expect(parse(`<R><K>${escapeXml(text)}</K></R>`).child('K') ?? '').toBe(text);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('reads 1000 keys full of references despite the entity limits', () => {
    const entry = `<K>${'&amp;&#x41;'.repeat(500)}</K>`;
    const root = parse(`<R>${entry.repeat(1000)}</R>`);
    expect(root.all('K')).toHaveLength(1000);
    expect(root.all('K').at(-1)?.text).toBe('&A'.repeat(500));
  });

  it('ignores namespace prefixes, comments, CDATA marks and attributes', () => {
    const root = parse(
      '<?xml version="1.0"?><!-- a --><s:R xmlns:s="http://x/"><s:K a="b"><![CDATA[<&amp;>]]></s:K></s:R>',
    );
    expect(root.name).toBe('R');
    expect(root.child('K')).toBe('<&amp;>');
  });

  it('accepts white space before the document, as sent during a long CompleteMultipartUpload', () => {
    expect(parse(' \n \t <?xml version="1.0"?>\n<R><K>1</K></R>\n').child('K')).toBe('1');
  });

  it('distinguishes an absent element from an empty one', () => {
    const root = parse('<R><A/><B></B></R>');
    expect([root.child('A'), root.child('B'), root.child('C')]).toEqual(['', '', null]);
  });

  it('does not find elements named like object properties', () => {
    const root = parse('<R><K>1</K></R>');
    expect(root.child('constructor')).toBeNull();
    expect(root.child('toString')).toBeNull();
  });
});

describe('a response that is not a complete XML document', () => {
  const page =
    '<ListBucketResult><Contents><Key>a</Key></Contents><Contents><Key>b</Key></Contents></ListBucketResult>';

  it('is an error wherever it is cut', async () => {
    for (let length = 1; length < page.length; length += 1) {
      const error = await failureOf(page.slice(0, length));
      expect(error.code).toBe('protocol');
    }
  });

  it('is retried if it was cut, but not if it is a web page', async () => {
    expect(await failureOf(page.slice(0, 60))).toMatchObject({ reason: 'cut-short', retry: 'backoff' });
    expect(await failureOf('<!DOCTYPE html><html><body>Sign in</body></html>')).toMatchObject({
      reason: 'html',
      retry: 'after-fix',
    });
    expect(await failureOf('<html lang="en"><p>unclosed')).toMatchObject({ reason: 'html' });
  });

  it('is reported with its start if it is a well-formed web page', async () => {
    const bytes = Buffer.from('<html><body>Sign in here</body></html>');
    const error = await errorOf(() => expectRoot(parseXml(bytes), 'ListBucketResult', bytes));
    expect(error).toMatchObject({ code: 'protocol', reason: 'html' });
    expect(error.message).toContain('Sign in here');
  });

  it('is reported with its start without control characters', async () => {
    const error = await failureOf('Hello \u0007 this\u202e is\nnot XML');
    expect(error.message).toContain('Hello \ufffd this\ufffd is not XML');
    expect(await failureOf('{"json":true}')).toMatchObject({ code: 'protocol', reason: 'unexpected-answer' });
  });

  it('is an error if it is empty', async () => {
    expect(await failureOf('')).toMatchObject({ code: 'protocol', retry: 'backoff' });
    expect(await failureOf('  \n ')).toMatchObject({ code: 'protocol' });
  });

  it('is an error if it has a DTD or an entity declaration', async () => {
    const bomb = '<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><R><K>&b;</K></R>';
    expect(await failureOf(bomb)).toMatchObject({ code: 'protocol', reason: 'xml-forbidden' });
    expect(await failureOf('<R><!ENTITY x SYSTEM "file:///etc/passwd"></R>')).toMatchObject({
      reason: 'xml-forbidden',
    });
  });

  it('is an error if it has an undeclared entity or a lone surrogate', async () => {
    for (const reference of ['&nbsp;', '&a;', '&#xD800;', '&#x110000;', '&#;', '& ', '&amp']) {
      const error = await failureOf(`<R><K>${reference}</K></R>`);
      expect(error.code).toBe('protocol');
    }
  });

  it('is an error if it is nested too deeply', async () => {
    const error = await failureOf(`${'<a>'.repeat(200)}${'</a>'.repeat(200)}`);
    expect(error).toMatchObject({ code: 'protocol', message: 'The XML of the response cannot be read.' });
  });

  it('is an error if it is not UTF-8', async () => {
    expect(await failureOf(Buffer.from([0x3c, 0x52, 0x3e, 0xff, 0x3c, 0x2f, 0x52, 0x3e]))).toMatchObject({
      code: 'protocol',
    });
  });

  it('is an error if it has two roots or crossed end tags', async () => {
    expect(await failureOf('<R></R><R></R>')).toMatchObject({ code: 'protocol' });
    expect(await failureOf('<R><A></B></A></R>')).toMatchObject({ code: 'protocol' });
  });

  it('is an error that names the unexpected root element', async () => {
    const bytes = Buffer.from('<Welcome><To>MinIO</To></Welcome>');
    const error = await errorOf(() => expectRoot(parseXml(bytes), 'ListBucketResult', bytes));
    expect(error.message).toContain('"Welcome" was received');
    expect(error.message).toContain('<Welcome><To>MinIO');
  });
});

describe('parsed values:', () => {
  it('a size that is not a number is an error, not zero', async () => {
    expect(parseCount(' 42 ', 'Size')).toBe(42);
    for (const bad of ['', '-1', '1.5', '1e3', 'abc', '99999999999999999999', null]) {
      expect(await errorOf(() => parseCount(bad, 'Size'))).toMatchObject({ code: 'protocol' });
    }
  });

  it('entities are decoded exactly once for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const once = text.replaceAll('&', '&amp;');
        expect(decodeEntities(once)).toBe(text);
        expect(decodeEntities(once.replaceAll('&', '&amp;'))).toBe(once);
      }),
    );
  });
});
