import { markdownHtml } from './markdown-html.ts';

export type MarkdownAnswer =
  | { readonly kind: 'html'; readonly html: string }
  | { readonly kind: 'too-complex' }
  /** Nested deeper than the parser can follow. */
  | { readonly kind: 'invalid' };

function answerTo(text: string): MarkdownAnswer {
  try {
    const html = markdownHtml(text);
    return html === null ? { kind: 'too-complex' } : { kind: 'html', html };
  } catch {
    return { kind: 'invalid' };
  }
}

self.addEventListener('message', (event: MessageEvent<string>) => {
  self.postMessage(answerTo(event.data), { transfer: [] });
});
