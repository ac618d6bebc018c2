import { Marked, type Token } from 'marked';
import { maxPictures } from './picture-key.ts';

/** More elements would use too much memory. */
const maxTags = 40_000;
/** A piece ends with the block that brings it to this number of characters of Markdown. */
const pieceLength = 4000;

/** Elements that are complete without an end tag. */
const voidElements = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;

const parser = new Marked({
  async: false,
  gfm: true,
  renderer: { checkbox: ({ checked }) => (checked ? '☑ ' : '☐ ') },
});

/**
 * Converts Markdown to HTML, unsanitized, in pieces that can be sanitized and laid out one after another. An HTML element that
 * spans several blocks stays in one piece. Pictures after the first `maxPictures` are their alternative text.
 *
 * Throws `RangeError` if the text is nested too deeply or has too many elements.
 */
export function markdownPieces(text: string): string[] {
  const blocks = parser.lexer(text);
  keepFirstPictures(blocks);
  const pieces: string[] = [];
  let piece: Token[] = [];
  let length = 0;
  let openElements = 0;
  let tags = 0;
  for (const [at, block] of blocks.entries()) {
    piece.push(block);
    length += block.raw.length;
    if (block.type === 'html') openElements = Math.max(0, openElements + openedElements(block.raw));
    const isLast = at === blocks.length - 1;
    if (!isLast && (length < pieceLength || openElements > 0)) continue;
    const html = parser.parser(piece);
    tags += html.split('<').length - 1;
    if (tags > maxTags) throw new RangeError('The text has too many elements.');
    if (html !== '') pieces.push(html);
    piece = [];
    length = 0;
  }
  return pieces;
}

/** Replaces the pictures after the first `maxPictures` by their text: thousands of elements for pictures block the window. */
function keepFirstPictures(blocks: Token[]): void {
  let pictures = 0;
  const isExtra = (): boolean => {
    pictures += 1;
    return pictures > maxPictures;
  };
  void parser.walkTokens(blocks, (token) => {
    if (token.type === 'html')
      token.text = String(token.text).replaceAll(/<img\b[^>]*>/gi, (tag) =>
        isExtra() ? alternativeText(tag) : tag,
      );
    else if (token.type === 'image' && isExtra())
      Object.assign(token, { type: 'text', tokens: undefined, escaped: false });
  });
}

/** Returns the value of `alt` of an HTML tag, as written there. */
function alternativeText(tag: string): string {
  const [, , text = ''] = /\balt\s*=\s*(["'])(.*?)\1/is.exec(tag) ?? [];
  return text;
}

/** Returns how many more elements the HTML opens than it closes. */
function openedElements(html: string): number {
  let opened = 0;
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z][a-z\d-]*)[^>]*>/gi))
    if (!voidElements.test(name)) opened += slash === '/' ? -1 : 1;
  return opened;
}
