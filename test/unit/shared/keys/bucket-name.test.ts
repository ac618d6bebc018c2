import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isBucketName } from '../../../../electron/service/operations/bucket-operations.ts';
import { bucketNameProblem } from '../../../../shared/keys/bucket-name.ts';

test.each([
  ['photos', null],
  ['my.photos-2024', null],
  ['ab', 'too-short'],
  ['a'.repeat(64), 'too-long'],
  ['Photos', 'upper-case'],
  ['my_photos', 'characters'],
  ['фото', 'characters'],
  ['-photos', 'edges'],
  ['photos.', 'edges'],
  ['my..photos', 'dots'],
  ['my.-photos', 'dots'],
  ['192.168.0.1', 'ip'],
  ['xn--photos', 'reserved-prefix'],
  ['photos-s3alias', 'reserved-suffix'],
  ['photos--ol-s3', 'reserved-suffix'],
] as const)('the bucket name %s has the problem %s', (name, problem) => {
  expect(bucketNameProblem(name)).toBe(problem);
});

test('the embedded service accepts every valid name', () => {
  const names = fc.string({
    unit: fc.constantFrom(...Array.from('abz019.-A_')),
    minLength: 1,
    maxLength: 70,
  });
  const refused: string[] = [];
  fc.assert(
    fc.property(names, (name) => {
      if (bucketNameProblem(name) === null && !isBucketName(name)) refused.push(name);
    }),
  );
  expect(refused).toEqual([]);
});
