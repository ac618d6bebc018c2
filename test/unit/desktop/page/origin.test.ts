import { expect, test } from 'vitest';
import { isOpenableOutside, isAppPage, isAppResource } from '../../../../electron/desktop/page/origin.ts';

test.each(['cooper://app/', 'cooper://app', 'cooper://app/?window=2#x'])(
  "%s is an address of the window's own page",
  (address) => {
    expect(isAppPage(address)).toBe(true);
    expect(isAppResource(address)).toBe(true);
  },
);

test.each([
  'cooper://app/assets/x.js?y#z',
  'cooper://app/bytes/ticket',
  'cooper://app//',
  'cooper://app/bytes/',
])('%s may be loaded but is not a page of the window', (address) => {
  expect(isAppPage(address)).toBe(false);
  expect(isAppResource(address)).toBe(true);
});

test.each([
  'cooper://app.evil.example/',
  'cooper://evil@app/',
  'cooper://app:1/',
  'cooper://other/',
  'cooper:app/',
  'coopers://app/',
  'https://app/',
  'blob:cooper://app/1',
  'about:blank',
  '',
])('%s is not an address of the window', (address) => {
  expect(isAppPage(address)).toBe(false);
  expect(isAppResource(address)).toBe(false);
});

test.each([
  ['https://example.com/', true],
  ['http://example.com/', false],
  ['file:///etc/passwd', false],
  ['smb://server/share', false],
  ['javascript:alert(1)', false],
  ['not an address', false],
])("%s may be opened in the system's browser: %s", (address, expected) => {
  expect(isOpenableOutside(address)).toBe(expected);
});
