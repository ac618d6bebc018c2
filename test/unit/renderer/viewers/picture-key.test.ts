import { expect, test } from 'vitest';
import { pictureKey } from '../../../../renderer/features/viewers/markdown/picture-key.ts';

test.each([
  ['a.png', 'docs/a.png'],
  ['./img/a%20b.png?raw=1#x', 'docs/img/a b.png'],
  ['img/../a.png', 'docs/a.png'],
  ['100%.png', 'docs/100%.png'],
])('the link %j in Markdown leads to a picture of the same bucket', (path, key) => {
  expect(pictureKey('docs/read me.md', path)).toBe(key);
});

test.each([
  '',
  '../secret.png',
  'img/../../secret.png',
  '%2e%2e/secret.png',
  '/root.png',
  '\\\\server\\a.png',
  'http://127.0.0.1:9/a.png',
  '//127.0.0.1:9/a.png',
  'data:image/png;base64,AA',
  'javascript:MARK()',
])('the link %j in Markdown leads to no picture', (path) => {
  expect(pictureKey('docs/read me.md', path)).toBeNull();
});
