import { BadFormat } from '../archive/archive.ts';
import type { RangeSource } from '../frame/range-source.ts';
import type { ColumnarFile, ColumnarFormat, ColumnPart, OpenColumnar, TextPart } from './columnar-file.ts';
import {
  mostReadBytes,
  type Answer,
  type FromDecoder,
  type ColumnarRequest,
  type ToDecoder,
} from './columnar-messages.ts';
import { valueText } from './value-text.ts';

/** As many rows go to the window at once. */
const rowsPerPart = 128;

/** The window could not bring the bytes. */
class Unread extends Error {
  override readonly name = 'Unread';
  readonly read: number;

  constructor(read: number) {
    super('The window could not bring the bytes.');
    this.read = read;
  }
}

/** A part of the program could not be loaded. */
class Unloaded extends Error {
  override readonly name = 'Unloaded';
}

/** Answers questions about one file, in a worker. It has the file's bytes from the window, and gives it texts. */
export function tableServer(
  opener: (format: ColumnarFormat) => Promise<OpenColumnar>,
  post: (message: FromDecoder) => void,
): (message: ToDecoder) => void {
  const reads = new Map<number, PromiseWithResolvers<Uint8Array<ArrayBuffer>>>();
  const { signal } = new AbortController();
  let lastRead = 0;
  let file: ColumnarFile | null = null;

  const read = async (offset: number, length: number): Promise<Uint8Array<ArrayBuffer>> => {
    if (length > mostReadBytes) throw new BadFormat('A part of the file is too large.');
    lastRead += 1;
    const waiting = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
    reads.set(lastRead, waiting);
    post({ kind: 'read', read: lastRead, offset, length });
    return await waiting.promise;
  };
  const answerTo = async (question: ColumnarRequest): Promise<Answer> => {
    if (question.kind === 'open') {
      const source: RangeSource = {
        sizeBytes: question.sizeBytes,
        etag: null,
        asked: { requests: 0, bytes: 0 },
        read,
        stream: async () => await Promise.reject(new Error('Nothing is streamed.')),
      };
      const open = await opener(question.format).catch((thrown: unknown) => {
        throw new Unloaded('The decoder could not be loaded.', { cause: thrown });
      });
      file = await open(source, signal);
      return { description: file.description };
    }
    if (file === null) throw new Error('No file is open.');
    const part = await file.partAt(question.column, question.row, signal);
    const hasTimes = file.description.columns[question.column]?.hasTimes === true;
    return { part: part === null ? null : textsOf(part, question.row, hasTimes) };
  };
  const answer = async (id: number, question: ColumnarRequest): Promise<void> => {
    try {
      post({ kind: 'answer', id, answer: await answerTo(question) });
    } catch (thrown) {
      // Any other error of a decoder is caused by the bytes.
      if (thrown instanceof Unread) post({ kind: 'unread', id, read: thrown.read });
      else if (thrown instanceof Unloaded) post({ kind: 'unloaded', id });
      else post({ kind: 'damaged', id });
    }
  };
  return (message) => {
    if (message.kind === 'ask') {
      void answer(message.id, message.question);
      return;
    }
    const waiting = reads.get(message.read);
    reads.delete(message.read);
    if (message.kind === 'bytes') waiting?.resolve(message.bytes);
    else waiting?.reject(new Unread(message.read));
  };
}

/** The texts of a row and its neighbours. */
function textsOf({ firstRow, values }: ColumnPart, row: number, hasTimes: boolean): TextPart {
  const start = Math.max(0, row - firstRow - ((row - firstRow) % rowsPerPart));
  const end = Math.min(values.length, start + rowsPerPart);
  const texts: (string | null)[] = [];
  for (let at = start; at < end; at += 1) texts.push(valueText(values[at], hasTimes));
  return { firstRow: firstRow + start, texts };
}
