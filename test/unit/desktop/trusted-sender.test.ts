import { expect, test } from 'vitest';
import { isTrustedSender, type SenderEvent } from '../../../electron/desktop/page/origin.ts';

const page = { url: 'cooper://app/' };
const trusted: SenderEvent = { senderFrame: page, sender: { id: 1, mainFrame: page } };
const isOwnWindow = (id: number): boolean => id === 1;

test('the main frame of the window on its own page is trusted', () => {
  expect(isTrustedSender(trusted, isOwnWindow)).toBe(true);
});

test('a closed frame is not trusted', () => {
  expect(isTrustedSender({ ...trusted, senderFrame: null }, isOwnWindow)).toBe(false);
});

test('a frame within the page is not trusted, whatever its address', () => {
  expect(isTrustedSender({ ...trusted, senderFrame: { url: page.url } }, isOwnWindow)).toBe(false);
});

test('another window is not trusted', () => {
  expect(isTrustedSender({ ...trusted, sender: { id: 2, mainFrame: page } }, isOwnWindow)).toBe(false);
});

test.each(['https://example.com/', 'file:///etc/passwd', 'cooper://other/', 'about:blank'])(
  'a window that navigated to %s is not trusted',
  (url) => {
    const strayed = { url };
    const event = { senderFrame: strayed, sender: { id: 1, mainFrame: strayed } };
    expect(isTrustedSender(event, isOwnWindow)).toBe(false);
  },
);
