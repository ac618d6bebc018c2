import {
  assert,
  constant,
  constantFrom,
  dictionary,
  oneof,
  option,
  property,
  record,
  stringMatching,
} from 'fast-check';
import { expect, test } from 'vitest';
import {
  uploadDraftOf,
  uploadOptionsOf,
  uploadProblems,
} from '../../../../../renderer/features/transfers/start/upload-form.ts';
import { defaultUploadOptions, uploadOptionsSchema } from '../../../../../shared/models/transfers.ts';

const empty = uploadDraftOf(defaultUploadOptions);

test('an empty upload form requests nothing', () => {
  expect(uploadProblems(empty)).toEqual({});
  expect(uploadOptionsOf(empty, defaultUploadOptions)).toEqual(defaultUploadOptions);
});

const word = stringMatching(/^[a-z0-9][a-z0-9-]{0,8}$/);
const value = stringMatching(/^[!-~]{0,20}$/);
const options = record({
  onConflict: constant('ask' as const),
  storageClass: option(word),
  cacheControl: option(word),
  contentType: option(constantFrom('text/plain', 'image/svg+xml', 'text/html; charset=utf-8')),
  metadata: dictionary(word, value, { maxKeys: 5 }),
  tags: dictionary(word, value, { maxKeys: 10 }),
  multipartFromBytes: constant(null),
  encryption: oneof(
    constant({ kind: 'none' as const }),
    constant({ kind: 'service' as const }),
    record({ kind: constant('kms' as const), keyId: option(word) }),
    record({ kind: constant('customer' as const), keyMd5: constant('1B2M2Y8AsgTpgAmY7PhCfg==') }),
  ),
});

test('stored upload options pass through the form unchanged', () => {
  assert(
    property(options, (kept) => {
      const parsed = uploadOptionsSchema.parse(kept);
      expect(uploadProblems(uploadDraftOf(parsed))).toEqual({});
      expect(uploadOptionsOf(uploadDraftOf(parsed), defaultUploadOptions)).toEqual(parsed);
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
] as const)('the %s %j is reported as %s', (field, text, problem) => {
  expect(uploadProblems({ ...empty, [field]: text })).toEqual({ [field]: problem });
});

test('an upload with a customer key requires the key', () => {
  expect(uploadProblems({ ...empty, encryption: 'customer' })).toEqual({ customerKeyMd5: 'key-missing' });
});

test('a tag value may contain equals signs', () => {
  expect(uploadOptionsOf({ ...empty, tags: ' a = b=c ' }, defaultUploadOptions).tags).toEqual({ a: 'b=c' });
});
