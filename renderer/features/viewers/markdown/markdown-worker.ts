import { Marked } from 'marked';
import { answerRequests } from '../../../ui/asked-worker.ts';

/** More elements would block the window during layout. */
const maxTags = 40_000;

const parser = new Marked({
  async: false,
  gfm: true,
  renderer: { checkbox: ({ checked }) => (checked ? '☑ ' : '☐ ') },
});

/** Converts Markdown to HTML, unsanitized. Throws if it is nested too deeply, or has more tags than the window can lay out. */
function markdownHtml(text: string): string {
  const html = parser.parse(text, { async: false });
  let tags = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) tags += 1;
  if (tags > maxTags) throw new RangeError('The text has too many elements.');
  return html;
}

// Every text is valid Markdown, so parsing fails only for text that is too complex.
answerRequests<string, string | null>(async (text) => await Promise.resolve(markdownHtml(text)), null);
