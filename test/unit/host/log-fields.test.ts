import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanFields } from '../../../electron/host/logger.ts';

const secret = 'kept-secret/7f3a+9c=51';

test('a known secret is redacted at any depth in any container', () => {
  const holders: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
    any: fc.oneof({ maxDepth: 5 }, tie('leaf'), tie('list'), tie('record'), tie('error'), tie('map')),
    leaf: fc
      .tuple(fc.string(), fc.constantFrom(secret, encodeURIComponent(secret)), fc.string())
      .map((parts) => parts.join('')),
    list: fc.array(tie('any'), { maxLength: 3 }),
    record: fc.dictionary(fc.oneof(fc.string(), fc.constant(secret)), tie('any'), { maxKeys: 3 }),
    map: fc.array(fc.tuple(fc.string(), tie('any')), { maxLength: 3 }).map((pairs) => new Map(pairs)),
    error: fc
      .tuple(fc.string(), tie('any'), tie('any'))
      .map(([text, cause, request]) =>
        Object.assign(new Error(`${text}${secret}`, { cause }), { request, [secret]: 1 }),
      ),
  })).any;
  fc.assert(
    fc.property(holders, (value) => {
      const written = JSON.stringify(cleanFields({ err: value }, [secret]));
      expect(written).not.toContain(secret);
      expect(written).not.toContain(encodeURIComponent(secret));
    }),
  );
});

test("a field with a secret's name is redacted at any depth", () => {
  const written = JSON.stringify(
    cleanFields(
      {
        err: Object.assign(new Error('It broke.'), {
          config: {
            request: {
              headers: {
                Authorization: 'Bearer hush-1',
                'x-amz-server-side-encryption-customer-key': 'hush-2',
                'X-Amz-Security-Token': 'hush-3',
                cookie: ['hush-4'],
              },
              credentials: { accessKeyId: 'hush-5', secretAccessKey: 'hush-6' },
              proxyUrl: 'http://me:hush-7@proxy.example',
              body: Buffer.from('hush-8'),
            },
          },
        }),
        address: 'https://a.example/b?X-Amz-Signature=hush-9&X-Amz-Date=today http://me:hush-10@a.example/',
        code: 'hush-11-a-one-time-code',
      },
      [],
    ),
  );
  expect(written).not.toContain('hush');
  expect(written).toContain('It broke.');
  expect(written).toContain('X-Amz-Date=today');
});

test('facts for diagnosis are kept: kind, code, location and cause', () => {
  const cause = Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' });
  const { err } = cleanFields({ err: new TypeError('It broke.', { cause }) }, [secret]);
  expect(err).toMatchObject({
    type: 'TypeError',
    message: 'It broke.',
    stack: expect.stringContaining('log-fields.test.ts') as string,
    cause: { code: 'ENOENT', syscall: 'open', message: 'no such file' },
  });
  expect(cleanFields({ code: 'access-denied', sessionToken: null, hasSecret: true }, [])).toEqual({
    code: 'access-denied',
    sessionToken: null,
    hasSecret: true,
  });
});

test('circular and endless values are truncated', () => {
  const circle: Record<string, unknown> = { list: Array.from({ length: 1000 }, () => 'x') };
  circle['self'] = circle;
  let deep: unknown = 'the end';
  for (let depth = 0; depth < 1000; depth += 1) deep = { deep };
  expect(JSON.stringify(cleanFields({ circle, deep, big: 1n }, [])).length).toBeLessThan(2000);
});
