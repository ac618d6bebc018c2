import { answerRequests } from '../../../ui/asked-worker.ts';
import { markdownPieces } from './markdown-pieces.ts';

// Every text is valid Markdown, so parsing fails only for text that is too complex.
answerRequests<string, readonly string[] | null>(
  async (text) => await Promise.resolve(markdownPieces(text)),
  null,
);
