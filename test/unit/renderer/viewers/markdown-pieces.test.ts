import * as fc from 'fast-check';
import { Marked } from 'marked';
import { expect, test } from 'vitest';
import { markdownPieces } from '../../../../renderer/features/viewers/markdown/markdown-pieces.ts';
import { maxPictures } from '../../../../renderer/features/viewers/markdown/picture-key.ts';

const paragraph = `${'word '.repeat(200)}\n\n`;

test('a long text is converted in several pieces that together are the whole text', () => {
  const blocks = fc.constantFrom(
    paragraph,
    '# A heading\n\n',
    '- one\n- two\n\n',
    '1. [a][ref]\n\n',
    '| a | b |\n|---|---|\n| 1 | 2 |\n\n',
    '```\n<b>code</b>\n```\n\n',
    '> *quoted*\n\n',
    '<div align="center">\n\n',
    '</div>\n\n',
    '<br>\n\n',
  );
  fc.assert(
    fc.property(fc.array(blocks, { maxLength: 60 }), (texts) => {
      const text = `${texts.join('')}[ref]: https://a.example`;
      expect(markdownPieces(text).join('')).toBe(new Marked({ async: false }).parse(text));
    }),
  );
  expect(markdownPieces(paragraph.repeat(100)).length).toBeGreaterThan(20);
});

test('blocks inside an HTML element stay in one piece with its tags', () => {
  const inside = `<details>\n<summary>More</summary>\n\n${paragraph.repeat(20)}</details>\n\n`;
  const pieces = markdownPieces(`${paragraph.repeat(8)}${inside}${paragraph.repeat(8)}`);
  const opening = pieces.filter((piece) => piece.includes('<details>'));
  expect(opening).toHaveLength(1);
  expect(opening[0]).toContain('</details>');
  expect(pieces.length).toBeGreaterThan(2);
});

test('end tags without a start tag do not keep later elements from staying in one piece', () => {
  const text = `</div>\n\n</div>\n\n<div>\n\n${paragraph.repeat(8)}</div>\n\n`;
  expect(markdownPieces(text)).toHaveLength(1);
});

test('pictures after the first are their alternative text, escaped', () => {
  const html = markdownPieces('![a <b>](missing.png)\n'.repeat(maxPictures + 2)).join('');
  expect(html.split('<img ')).toHaveLength(maxPictures + 1);
  expect(html.split('a &lt;b&gt;')).toHaveLength(maxPictures + 3);
  expect(html).not.toContain('a <b>');
});

test('pictures written as HTML count like others, and keep their alternative text', () => {
  const text = `<p>${'<IMG src=missing.png alt="one &amp; two">\n<img>\n'.repeat(maxPictures)}</p>\n\nwith <img alt='the last'> in it`;
  const html = markdownPieces(`${text}\n\n![a](missing.png)`).join('');
  expect(html.match(/<img/giu)).toHaveLength(maxPictures);
  expect(html.split('one &amp; two')).toHaveLength(maxPictures + 1);
  expect(html).toContain('with the last in it');
  expect(html).toContain('<p>a</p>');
});

test('a text with too many elements is rejected', () => {
  expect(() => markdownPieces('*a* '.repeat(30_000))).toThrow(RangeError);
});
