import { answerRequests } from '../../../../ui/asked-worker.ts';
import { exifIn } from './exif-item.ts';
import { factOptions, factsOf } from './facts.ts';
import { memoryOf, type ImageResponse, type ImageQuestion } from './image-messages.ts';
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

answerRequests(answerTo, { kind: 'damaged' }, memoryOf);
