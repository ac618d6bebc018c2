import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { placeAt, readJson, type JsonNode } from '../../../../electron/core/buckets/json-document.ts';
import { checkPolicy, publicnessOf } from '../../../../electron/core/buckets/policy.ts';

const statement = {
  Effect: 'Allow',
  Principal: '*',
  Action: 's3:GetObject',
  Resource: 'arn:aws:s3:::photos/*',
};
const policy = (...statements: readonly object[]) =>
  JSON.stringify({ Version: '2012-10-17', Statement: statements }, null, 2);
const found = (text: string) =>
  checkPolicy(text, 'photos').map(
    ({ line, code, detail, severity }) => `${line} ${code} ${detail} ${severity}`,
  );

describe('the JSON reader with positions', () => {
  const keysOf = (node: JsonNode): readonly string[] =>
    node.value.kind === 'object'
      ? node.value.entries.flatMap(({ key, node: inner }) => [key, ...keysOf(inner)])
      : node.value.kind === 'array'
        ? node.value.items.flatMap(keysOf)
        : node.value.kind === 'string'
          ? [node.value.text]
          : [];

  test('accepts exactly the texts that JSON.parse accepts', () => {
    const near = fc
      .tuple(fc.json({ maxDepth: 4 }), fc.nat(), fc.constantFrom('', ',', '}', '"', '01', 'tru', '\n'))
      .map(([json, at, extra]) => {
        const index = at % (json.length + 1);
        return json.slice(0, index) + extra + json.slice(index);
      });
    fc.assert(
      fc.property(near, (text) => {
        let isAccepted = true;
        try {
          JSON.parse(text);
        } catch {
          isAccepted = false;
        }
        expect(readJson(text).ok).toBe(isAccepted);
      }),
      { numRuns: 500 },
    );
  });

  test('reads names and strings as JSON.parse does, in source order', () => {
    const reading = readJson('{"a\\u00e9": ["x\\n", {"b": "\\"y"}], "c": "z"}');
    if (!reading.ok) throw new Error(reading.message);
    expect(keysOf(reading.root)).toEqual(['aé', 'x\n', 'b', '"y', 'c', 'z']);
  });

  test('reports the line and column of a syntax error', () => {
    const text = '{\n  "a": 1,\n}';
    const reading = readJson(text);
    if (reading.ok) throw new Error('It was taken.');
    expect(placeAt(text, reading.offset)).toEqual({ line: 3, column: 1 });
  });
});

describe('the policy check', () => {
  test('finds no problem in a complete policy', () => {
    expect(found(policy(statement))).toEqual([]);
    expect(
      found(
        policy({
          Sid: 'a',
          Effect: 'Deny',
          NotPrincipal: { AWS: ['arn:aws:iam::1:root'] },
          NotAction: ['s3:*'],
          Resource: ['arn:aws:s3:::photos', 'arn:aws:s3:::pho*/x'],
          Condition: { Bool: { 'aws:SecureTransport': 'false' } },
        }),
      ),
    ).toEqual([]);
  });

  test.each([
    ['[]', ['1 wrong-type { … } error']],
    ['{}', ['1 missing-key Statement error']],
    ['{"Statement": []}', ['1 empty-statement Statement error']],
    [
      '{"Id": "a",\n"Id": "b", "Statement": []}',
      ['2 duplicate-key Id error', '2 empty-statement Statement error'],
    ],
  ] as const)('finds the problems of %s', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  test('reports each problem at its own line', () => {
    const text = [
      '{',
      '  "Version": "2020-01-01",',
      '  "Statement": {',
      '    "Effect": "Permit",',
      '    "Principal": "somebody",',
      '    "Action": [],',
      '    "Resource": "arn:aws:s3:::other/*",',
      '    "Colour": "red"',
      '  }',
      '}',
    ].join('\n');
    expect(found(text)).toEqual([
      '2 wrong-value Version: 2012-10-17, 2008-10-17 error',
      '4 wrong-value Effect: Allow, Deny error',
      '5 wrong-value Principal: "*", {"AWS": …} error',
      '6 wrong-type Action error',
      '7 other-bucket other warning',
      '8 unknown-key Colour warning',
    ]);
  });
});

describe('the public access of a policy', () => {
  test.each([
    ['everyone', policy(statement), 'public'],
    ['everyone, in a list', policy({ ...statement, Principal: { AWS: ['x', '*'] } }), 'public'],
    [
      'everyone but one',
      policy({ ...statement, Principal: undefined, NotPrincipal: { AWS: 'x' } }),
      'public',
    ],
    ['an empty condition', policy({ ...statement, Condition: {} }), 'public'],
    ['everyone from one address', policy({ ...statement, Condition: { IpAddress: {} } }), 'conditional'],
    ['one account', policy({ ...statement, Principal: { AWS: 'arn:aws:iam::1:root' } }), 'private'],
    ['nobody', policy({ ...statement, Effect: 'Deny' }), 'private'],
    ['no JSON', '{', 'private'],
    ['one statement of two', policy({ ...statement, Effect: 'Deny' }, statement), 'public'],
  ] as const)('%s', (_name, text, publicness) => {
    expect(publicnessOf(text)).toBe(publicness);
  });
});
