import { expect, test } from 'vitest';
import { allowedFor, isOfFormerStart, judge } from '../../../electron/browser/guard.ts';

const allowed = allowedFor(4000);
const page = { originNeeded: false, isPage: true };
const file = { originNeeded: false, isPage: false };
const write = { originNeeded: true, isPage: false };
const host = '127.0.0.1:4000';

test.each([
  [
    'the page opened from the address bar',
    { host, 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
    page,
  ],
  ['a file of the page', { host, 'sec-fetch-site': 'same-origin' }, file],
  ['a call from the page', { host, origin: 'http://127.0.0.1:4000', 'sec-fetch-site': 'same-origin' }, write],
  ['localhost', { host: 'localhost:4000', origin: 'http://localhost:4000' }, write],
  ['a tool other than a browser', { host }, page],
  [
    'a link to the page from another site',
    { host, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    page,
  ],
])('the browser server serves %s', (_name, headers, options) => {
  expect(judge(headers, allowed, options)).toBe('ok');
});

test.each([
  ['a foreign name that resolves to this computer', { host: 'evil.example:4000' }, page, 'wrong-host'],
  ['a name that only starts like ours', { host: '127.0.0.1:4000.evil.example' }, page, 'wrong-host'],
  ['another port in the host', { host: '127.0.0.1:4001' }, page, 'wrong-host'],
  ['no port in the host', { host: '127.0.0.1' }, page, 'wrong-host'],
  ['a request without a host', {}, page, 'wrong-host'],
  ['a call without an origin', { host }, write, 'wrong-origin'],
  ['a call from another site', { host, origin: 'https://evil.example' }, write, 'wrong-origin'],
  [
    'a call from another program on this computer',
    { host, origin: 'http://127.0.0.1:5000' },
    write,
    'wrong-origin',
  ],
  ['a call from a sandboxed frame', { host, origin: 'null' }, write, 'wrong-origin'],
  [
    'a call from one of our names to the other',
    { host, origin: 'http://localhost:4000' },
    write,
    'wrong-origin',
  ],
  ['a call over https', { host, origin: 'https://127.0.0.1:4000' }, write, 'wrong-origin'],
  [
    'an image in another site',
    { host, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    file,
    'wrong-origin',
  ],
  [
    'a frame in another port’s page',
    { host, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    page,
    'wrong-origin',
  ],
  [
    'a link to bytes from another site',
    { host, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    file,
    'wrong-origin',
  ],
] as const)('the browser server refuses %s', (_name, headers, options, verdict) => {
  expect(judge(headers, allowed, options)).toBe(verdict);
});

test('the host name of this run is accepted, and that of another run is refused', () => {
  const mine = allowedFor(4000, 'cabc.localhost');
  expect(judge({ host: 'CABC.localhost:4000', origin: 'http://cabc.localhost:4000' }, mine, write)).toBe(
    'ok',
  );
  expect(judge({ host: 'cdef.localhost:4000' }, mine, page)).toBe('wrong-host');
  expect(judge({ host: 'cabc.localhost:4000', origin: 'http://127.0.0.1:4000' }, mine, write)).toBe(
    'wrong-origin',
  );
});

test('a page of an earlier run is recognised by its generated host name on this port', () => {
  const name = `c${'0'.repeat(20)}.localhost:4000`;
  expect(isOfFormerStart({ host: name, origin: `http://${name}` }, 4000)).toBe(true);
  expect(isOfFormerStart({ host: name, origin: 'http://evil.test' }, 4000)).toBe(false);
  expect(isOfFormerStart({ host: name }, 4000)).toBe(false);
  expect(isOfFormerStart({ host: name, origin: `http://${name}` }, 14_000)).toBe(false);
  expect(isOfFormerStart({ host: 'x.localhost:4000', origin: 'http://x.localhost:4000' }, 4000)).toBe(false);
});
