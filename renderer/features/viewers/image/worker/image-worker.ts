import { exifIn } from './exif-item.ts';
import { factOptions, factsOf } from './facts.ts';
import type { ImageResponse, ImageQuestion } from './image-messages.ts';
import { decodeTiff } from './tiff.ts';
import { xmlText, svgWork } from './svg-work.ts';

async function answerTo(question: ImageQuestion): Promise<ImageResponse> {
  if (question.kind === 'tiff') return decodeTiff(question.bytes, question.page);
  if (question.kind === 'svg') return { kind: 'svg', work: svgWork(xmlText(question.bytes)) };
  const exif = exifIn(question.bytes);
  if (exif === null) return { kind: 'facts', facts: [] };
  const { parse } = await import('exifr');
  const tags = (await parse(exif, factOptions)) as Record<string, unknown> | undefined;
  return { kind: 'facts', facts: factsOf(tags ?? {}) };
}

function say(response: ImageResponse): void {
  self.postMessage(response, { transfer: response.kind === 'picture' ? [response.picture.rgba.buffer] : [] });
}

self.addEventListener('message', (event: MessageEvent<ImageQuestion>) => {
  // The libraries throw arbitrary errors for damaged files.
  answerTo(event.data).then(say, () => {
    say({ kind: 'damaged' });
  });
});
