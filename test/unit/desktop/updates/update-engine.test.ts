import { expect, test } from 'vitest';
import { configureUpdater, notesText } from '../../../../electron/desktop/updates/update-engine.ts';
import { assert, property, string } from 'fast-check';

test('HTML release notes become text with lists and paragraphs as lines', () => {
  expect(
    notesText('<h2>New</h2><p>Faster &amp; <b>better</b></p><ul><li>One</li><li>Two &lt;3</li></ul>'),
  ).toBe('New\nFaster & better\n\n- One\n- Two <3');
});

test('a script in release notes is reduced to its text', () => {
  expect(notesText('<img src=x onerror=alert(1)>Hi<script>alert(1)</script>')).toBe('Hialert(1)');
});

test('Markdown release notes stay unchanged', () => {
  expect(notesText('## 1.1\n\n- `a`\n')).toBe('## 1.1\n\n- `a`');
});

test('release notes of several versions are joined, and empty ones are null', () => {
  expect(notesText([{ version: '2', note: 'b' }, { version: '1', note: null }, 7])).toBe('b');
  expect([null, undefined, '', '<p></p>', [], 7].map(notesText)).toEqual([
    null,
    null,
    null,
    null,
    null,
    null,
  ]);
});

test('release notes contain no tag and are limited in length', () => {
  assert(
    property(string(), (text) => {
      expect(notesText(`<${text}>`.replaceAll('&', '')) ?? '').not.toMatch(/<[a-z][^>]*>/iu);
    }),
  );
  expect(notesText('x'.repeat(1_000_000))).toHaveLength(20_000);
});

test('an updater downloads and installs nothing on its own and runs no web installer', () => {
  const updater = {
    autoDownload: true,
    autoInstallOnAppQuit: true,
    autoRunAppAfterInstall: false,
    disableWebInstaller: false,
  };
  configureUpdater(updater);
  expect(updater).toEqual({
    autoDownload: false,
    autoInstallOnAppQuit: false,
    autoRunAppAfterInstall: true,
    disableWebInstaller: true,
  });
});
