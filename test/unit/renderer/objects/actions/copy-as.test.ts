import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  awsCommand,
  curlCommand,
  publicAddress,
  publicBaseOf,
  rcloneCommand,
  type CommandPlace,
} from '../../../../../renderer/features/objects/actions/copy-as.ts';

const place: CommandPlace = {
  platform: 'linux',
  connection: {
    provider: 'other',
    endpoint: 'https://storage.example.net:9000',
    region: 'eu-1',
    auth: { kind: 'keys', accessKeyId: 'AK', hasSecret: true, hasSessionToken: false },
  },
  bucket: 'photos',
};
const amazon: CommandPlace = {
  ...place,
  connection: {
    provider: 'aws',
    endpoint: 'https://s3.amazonaws.com',
    region: null,
    auth: { kind: 'aws-profile', profile: "o'hara" },
    requesterPays: true,
  },
};

/** Returns the words into which a shell splits a line. */
function wordsOf(line: string): readonly string[] {
  // With standard input from a socket, as Node's pipes are, bash would read the user's .bashrc first.
  const printed = execFileSync('bash', ['-c', `printf '%s\\0' ${line}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  }).toString('utf8');
  return printed.split('\0').slice(0, -1);
}

const key = fc
  .oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.string({
      unit: fc.constantFrom("'", '"', '$', '`', '\\', '\n', ' ', '/', '*', '-', 'a'),
      minLength: 1,
    }),
  )
  .map((text) => text.replaceAll('\0', 'x'));

describe('the aws s3 cp command', () => {
  test('copies an object into the current folder and a folder into one of its name', () => {
    expect(awsCommand(place, "2026/it's.jpg")).toBe(
      String.raw`aws s3 cp 's3://photos/2026/it'\''s.jpg' . --endpoint-url 'https://storage.example.net:9000' --region 'eu-1'`,
    );
    expect(awsCommand(amazon, '2026/may/')).toBe(
      String.raw`aws s3 cp --recursive 's3://photos/2026/may/' './may/' --profile 'o'\''hara' --request-payer requester`,
    );
  });

  test('passes the address of any key as one shell word', () => {
    fc.assert(
      fc.property(key, (objectKey) => {
        expect(wordsOf(awsCommand(place, objectKey) ?? '')).toContain(`s3://photos/${objectKey}`);
      }),
      { numRuns: 60 },
    );
  });

  test('does not exist for a key that no argument can hold', () => {
    expect(awsCommand(place, 'a\0b')).toBeNull();
    expect(awsCommand({ ...place, platform: 'win32' }, 'a"b')).toBeNull();
    expect(awsCommand(place, 'a"b')).not.toBeNull();
  });
});

describe('the rclone copy command', () => {
  test('names the service in the command line itself', () => {
    const [, , source, target] = wordsOf(rcloneCommand(place, '2026/a b.jpg') ?? '');
    expect(source).toBe(
      ":s3,provider=Other,env_auth=true,region='eu-1',endpoint='https://storage.example.net:9000':photos/2026/a b.jpg",
    );
    expect(target).toBe('.');
    const folder = wordsOf(rcloneCommand(amazon, '2026/may/') ?? '');
    expect(folder[2]).toBe(
      ":s3,provider=AWS,env_auth=true,profile='o''hara',requester_pays=true:photos/2026/may",
    );
    expect(folder[3]).toBe('./may');
  });

  test.each(['a//b', '/a', './a', 'a/../b', 'a//', 'full‛width', '．'])(
    'does not exist for %j',
    (objectKey) => {
      expect(rcloneCommand(place, objectKey)).toBeNull();
    },
  );
});

test("the curl command writes a file with the object's name, whatever its characters", () => {
  fc.assert(
    fc.property(key, (objectKey) => {
      const words = wordsOf(curlCommand('linux', 'https://x/y?a=1&b=2', objectKey) ?? '');
      expect(words.slice(0, 5)).toEqual(['curl', '--fail', '--location', '--globoff', '--output']);
      expect(words[5]).toMatch(/^\.\/[^/]+$/u);
      expect(words.slice(6)).toEqual(['https://x/y?a=1&b=2']);
    }),
    { numRuns: 60 },
  );
  expect(curlCommand('win32', 'https://x/', 'a.txt')).toMatch(/^curl\.exe /);
});

describe('a public address', () => {
  test('leads back to the key', () => {
    fc.assert(
      fc.property(key, (objectKey) => {
        const { pathname } = new URL(
          publicAddress('https://cdn.example.com/base/', objectKey),
          'https://other/',
        );
        const segments = objectKey.split('/');
        // Addresses have no segments `.` and `..`, however they are written.
        fc.pre(!segments.some((segment) => segment === '.' || segment === '..'));
        expect(pathname.slice('/base/'.length).split('/').map(decodeURIComponent)).toEqual(segments);
      }),
    );
  });

  test('needs a web base without a query or credentials', () => {
    expect(publicBaseOf(' https://cdn.example.com/a/ ')).toBe('https://cdn.example.com/a');
    for (const typed of [
      '',
      'cdn.example.com',
      'ftp://a/',
      'javascript:alert(1)',
      'https://a/?b',
      'https://u:p@a/',
    ])
      expect(publicBaseOf(typed)).toBeNull();
  });
});
