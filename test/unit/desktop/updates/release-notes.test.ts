import { assert, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { notesText } from '../../../../electron/desktop/updates/release-notes.ts';

test('HTML becomes text, its lists and paragraphs lines', () => {
  expect(
    notesText('<h2>New</h2><p>Faster &amp; <b>better</b></p><ul><li>One</li><li>Two &lt;3</li></ul>'),
  ).toBe('New\nFaster & better\n\n- One\n- Two <3');
});

test('a script is no more than its words', () => {
  expect(notesText('<img src=x onerror=alert(1)>Hi<script>alert(1)</script>')).toBe('Hialert(1)');
});

test('Markdown stays as it is', () => {
  expect(notesText('## 1.1\n\n- `a`\n')).toBe('## 1.1\n\n- `a`');
});

test('a list of releases is joined; nothing is null', () => {
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

test('no tag survives, and the text has an end', () => {
  assert(
    property(string(), (text) => {
      expect(notesText(`<${text}>`.replaceAll('&', '')) ?? '').not.toMatch(/<[a-z][^>]*>/iu);
    }),
  );
  expect(notesText('x'.repeat(1_000_000))).toHaveLength(20_000);
});
