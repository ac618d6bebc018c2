import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeEntities } from '../../../../../electron/core/s3/xml/entities.ts';
import { expectRoot, parseCount, parseXml } from '../../../../../electron/core/s3/xml/parse.ts';
import { escapeXml, fitsXml } from '../../../../../electron/core/s3/xml/render.ts';
import { errorOf } from '../../../../support/servers/s3-client.ts';

const parse = (xml: string) => parseXml(Buffer.from(xml, 'utf8'));
const failureOf = async (xml: string | Uint8Array) =>
  await errorOf(() => parseXml(typeof xml === 'string' ? Buffer.from(xml) : xml));

describe('reading XML', () => {
  it('keeps numbers and booleans as the strings that they are', () => {
    const root = parse('<R><K>007</K><K>1e5</K><K>true</K><K>0x1F</K><K>NaN</K><K>1.0</K></R>');
    expect(root.all('K').map((k) => k.text)).toEqual(['007', '1e5', 'true', '0x1F', 'NaN', '1.0']);
  });

  it('trims nothing', () => {
    const root = parse('<R><K> a </K><K>   </K><K>\n</K></R>');
    expect(root.all('K').map((k) => k.text)).toEqual([' a ', '   ', '\n']);
  });

  it('decodes entities and character references exactly once', () => {
    const root = parse('<R><K>&amp;amp; &lt; &#38;lt; &#x1F600; &#65;&quot;&apos;&gt;</K></R>');
    expect(root.child('K')).toBe('&amp; < &lt; \u{1f600} A"\'>');
  });

  it('keeps control characters that are written as references: to drop one names another object', () => {
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

  it('reads 1000 keys that are all references, which limits against entity bombs must not stop', () => {
    const entry = `<K>${'&amp;&#x41;'.repeat(500)}</K>`;
    const root = parse(`<R>${entry.repeat(1000)}</R>`);
    expect(root.all('K')).toHaveLength(1000);
    expect(root.all('K').at(-1)?.text).toBe('&A'.repeat(500));
  });

  it('looks through prefixes of namespaces, comments, CDATA and attributes', () => {
    const root = parse(
      '<?xml version="1.0"?><!-- a --><s:R xmlns:s="http://x/"><s:K a="b"><![CDATA[<&amp;>]]></s:K></s:R>',
    );
    expect(root.name).toBe('R');
    expect(root.child('K')).toBe('<&amp;>');
  });

  it('takes white space before the document: a completion may send it for minutes', () => {
    expect(parse(' \n \t <?xml version="1.0"?>\n<R><K>1</K></R>\n').child('K')).toBe('1');
  });

  it('tells an absent element from an empty one', () => {
    const root = parse('<R><A/><B></B></R>');
    expect([root.child('A'), root.child('B'), root.child('C')]).toEqual(['', '', null]);
  });

  it('is not misled by names that objects have by nature', () => {
    const root = parse('<R><K>1</K></R>');
    expect(root.child('constructor')).toBeNull();
    expect(root.child('toString')).toBeNull();
  });
});

describe('what is not a whole XML document', () => {
  const page =
    '<ListBucketResult><Contents><Key>a</Key></Contents><Contents><Key>b</Key></Contents></ListBucketResult>';

  it('is an error wherever it was cut', async () => {
    for (let length = 1; length < page.length; length += 1) {
      const error = await failureOf(page.slice(0, length));
      expect(error.code).toBe('protocol');
    }
  });

  it('is worth another try when it was cut, and not when it is a web page', async () => {
    expect(await failureOf(page.slice(0, 60))).toMatchObject({ reason: 'cut-short', retry: 'backoff' });
    expect(await failureOf('<!DOCTYPE html><html><body>Sign in</body></html>')).toMatchObject({
      reason: 'html',
      retry: 'after-fix',
    });
    expect(await failureOf('<html lang="en"><p>unclosed')).toMatchObject({ reason: 'html' });
  });

  it('that is a well-formed web page shows how it began', async () => {
    const bytes = Buffer.from('<html><body>Sign in here</body></html>');
    const error = await errorOf(() => expectRoot(parseXml(bytes), 'ListBucketResult', bytes));
    expect(error).toMatchObject({ code: 'protocol', reason: 'html' });
    expect(error.message).toContain('Sign in here');
  });

  it('shows how the answer began, without control characters', async () => {
    const error = await failureOf('Hello \u0007 this\u202e is\nnot XML');
    expect(error.message).toContain('Hello \ufffd this\ufffd is not XML');
    expect(await failureOf('{"json":true}')).toMatchObject({ code: 'protocol', reason: 'unexpected-answer' });
  });

  it('is an error when it is empty', async () => {
    expect(await failureOf('')).toMatchObject({ code: 'protocol', retry: 'backoff' });
    expect(await failureOf('  \n ')).toMatchObject({ code: 'protocol' });
  });

  it('is an error with any DTD or entity declaration', async () => {
    const bomb = '<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><R><K>&b;</K></R>';
    expect(await failureOf(bomb)).toMatchObject({ code: 'protocol', reason: 'xml-forbidden' });
    expect(await failureOf('<R><!ENTITY x SYSTEM "file:///etc/passwd"></R>')).toMatchObject({
      reason: 'xml-forbidden',
    });
  });

  it('is an error with an entity that nobody declared, or half a character', async () => {
    for (const reference of ['&nbsp;', '&a;', '&#xD800;', '&#x110000;', '&#;', '& ', '&amp']) {
      const error = await failureOf(`<R><K>${reference}</K></R>`);
      expect(error.code).toBe('protocol');
    }
  });

  it('is an error when it is nested too deeply', async () => {
    const error = await failureOf(`${'<a>'.repeat(200)}${'</a>'.repeat(200)}`);
    expect(error).toMatchObject({ code: 'protocol', message: 'The XML of the answer cannot be read.' });
  });

  it('is an error when it is not UTF-8', async () => {
    expect(await failureOf(Buffer.from([0x3c, 0x52, 0x3e, 0xff, 0x3c, 0x2f, 0x52, 0x3e]))).toMatchObject({
      code: 'protocol',
    });
  });

  it('is an error with two roots, or with elements that are closed in the wrong order', async () => {
    expect(await failureOf('<R></R><R></R>')).toMatchObject({ code: 'protocol' });
    expect(await failureOf('<R><A></B></A></R>')).toMatchObject({ code: 'protocol' });
  });

  it('is an error when the root is another one, and says which came', async () => {
    const bytes = Buffer.from('<Welcome><To>MinIO</To></Welcome>');
    const error = await errorOf(() => expectRoot(parseXml(bytes), 'ListBucketResult', bytes));
    expect(error.message).toContain('"Welcome" came');
    expect(error.message).toContain('<Welcome><To>MinIO');
  });
});

describe('values', () => {
  it('a size that is no number is an error, not zero', async () => {
    expect(parseCount(' 42 ', 'Size')).toBe(42);
    for (const bad of ['', '-1', '1.5', '1e3', 'abc', '99999999999999999999', null]) {
      expect(await errorOf(() => parseCount(bad, 'Size'))).toMatchObject({ code: 'protocol' });
    }
  });

  it('entities are decoded once, however often the text looks decodable', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const once = text.replaceAll('&', '&amp;');
        expect(decodeEntities(once)).toBe(text);
        expect(decodeEntities(once.replaceAll('&', '&amp;'))).toBe(once);
      }),
    );
  });
});
