import { markdownHtml } from './markdown-html.ts';

export type MarkdownAnswer =
  | { readonly kind: 'html'; readonly html: string }
  /**
   * The text has too many elements or is nested too deeply. Parsing cannot fail otherwise, since every text is valid Markdown.
   */
  | { readonly kind: 'too-complex' };

function answerTo(text: string): MarkdownAnswer {
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
