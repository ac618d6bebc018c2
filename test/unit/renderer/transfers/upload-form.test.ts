import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draftOf, optionsOf, problemsOf } from '../../../../renderer/features/transfers/upload-form.ts';
import { defaultUploadOptions, uploadOptionsSchema } from '../../../../shared/models/transfers.ts';

const empty = draftOf(defaultUploadOptions);

test('nothing typed is nothing asked for', () => {
  expect(problemsOf(empty)).toEqual({});
  expect(optionsOf(empty, defaultUploadOptions)).toEqual(defaultUploadOptions);
});

const word = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,8}$/);
const value = fc.stringMatching(/^[!-~]{0,20}$/);
const options = fc.record({
  onConflict: fc.constant('ask' as const),
  storageClass: fc.option(word),
  cacheControl: fc.option(word),
  contentType: fc.option(fc.constantFrom('text/plain', 'image/svg+xml', 'text/html; charset=utf-8')),
  metadata: fc.dictionary(word, value, { maxKeys: 5 }),
  tags: fc.dictionary(word, value, { maxKeys: 10 }),
  multipartFromBytes: fc.constant(null),
  encryption: fc.oneof(
    fc.constant({ kind: 'none' as const }),
    fc.constant({ kind: 'service' as const }),
    fc.record({ kind: fc.constant('kms' as const), keyId: fc.option(word) }),
    fc.record({ kind: fc.constant('customer' as const), keyMd5: fc.constant('1B2M2Y8AsgTpgAmY7PhCfg==') }),
  ),
});

test('what was kept comes back as it was', () => {
  fc.assert(
    fc.property(options, (kept) => {
      const parsed = uploadOptionsSchema.parse(kept);
      expect(problemsOf(draftOf(parsed))).toEqual({});
      expect(optionsOf(draftOf(parsed), defaultUploadOptions)).toEqual(parsed);
    }),
  );
});

test.each([
  ['cacheControl', 'день', 'header-characters'],
  ['contentType', 'picture', 'content-type'],
  ['metadata', 'colour', 'line-without-equals'],
  ['metadata', 'a b=c', 'metadata-name'],
  ['metadata', 'MTime=1', 'metadata-reserved'],
  ['metadata', 'a=1\nA=2', 'name-twice'],
  ['metadata', `a=${'é'.repeat(1000)}`, 'metadata-size'],
  ['tags', '=b', 'line-without-equals'],
  ['tags', 'a=1\na=2', 'name-twice'],
  ['tags', Array.from({ length: 11 }, (_, n) => `t${String(n)}=`).join('\n'), 'tags-many'],
  ['tags', `a=${'x'.repeat(257)}`, 'tag-length'],
] as const)('%s: %j is told as %s', (field, text, problem) => {
  expect(problemsOf({ ...empty, [field]: text })).toEqual({ [field]: problem });
});

test('an upload with a key of the user needs the key', () => {
  expect(problemsOf({ ...empty, encryption: 'customer' })).toEqual({ customerKeyMd5: 'key-missing' });
});

test('a value may hold equals signs', () => {
  expect(optionsOf({ ...empty, tags: ' a = b=c ' }, defaultUploadOptions).tags).toEqual({ a: 'b=c' });
});
