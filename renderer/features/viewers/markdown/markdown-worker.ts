import { Marked } from 'marked';

/** More elements would block the window during layout. */
const maxTags = 40_000;

const parser = new Marked({
  async: false,
  gfm: true,
  renderer: { checkbox: ({ checked }) => (checked ? '☑ ' : '☐ ') },
});

/**
 * Converts Markdown to HTML, unsanitized. Returns null for more tags than the window can lay out. Throws if nested too deeply.
 */
function markdownHtml(text: string): string | null {
  const html = parser.parse(text, { async: false });
  let tags = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) tags += 1;
  return tags > maxTags ? null : html;
}

export type MarkdownResponse =
  | { readonly kind: 'html'; readonly html: string }
  /**
   * The text has too many elements or is nested too deeply. Parsing cannot fail otherwise, since every text is valid Markdown.
   */
  | { readonly kind: 'too-complex' };

function answerTo(text: string): MarkdownResponse {
  try {
    const html = markdownHtml(text);
    return html === null ? { kind: 'too-complex' } : { kind: 'html', html };
  } catch {
    return { kind: 'too-complex' };
  }
}

self.addEventListener('message', (event: MessageEvent<string>) => {
  self.postMessage(answerTo(event.data), { transfer: [] });
});
