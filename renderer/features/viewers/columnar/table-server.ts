import { BadFormat } from '../frame/bytes.ts';
import {
  groupWith,
  UnreadableFile,
  type ColumnarFile,
  type ColumnPart,
  type ColumnProblem,
  type OpenColumnar,
  type TextPart,
  type WholeValue,
} from './columnar-file.ts';
import {
  maxReadBytes,
  type ColumnarResponse,
  type FromDecoder,
  type ColumnarRequest,
  type TableChoice,
  type ToDecoder,
} from './columnar-messages.ts';
import { maxValueTextLength, maxWholeTextLength, valueText } from './value-text.ts';

/** Rows sent to the window per message. */
const rowsPerPart = 128;
/** Limit of the full values of one row taken together, in characters. */
const maxRowChars = 4 * maxWholeTextLength;

/** Thrown if the window could not read bytes. */
class Unread extends Error {
  override readonly name = 'Unread';
  readonly read: number;

  constructor(read: number) {
    super('The window could not bring the bytes.');
    this.read = read;
  }
}

/** Thrown if code of the decoder could not be loaded. */
class Unloaded extends Error {
  override readonly name = 'Unloaded';
}

/** Serves the window's requests about one file in this worker. */
export function serveTable(opener: (choice: TableChoice) => Promise<OpenColumnar>): void {
  const handleMessage = tableServer(opener, (message) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
    self.postMessage(message);
  });
  self.addEventListener('message', ({ data }: MessageEvent<ToDecoder>) => handleMessage(data));
}

/** Serves requests about one file in a worker. Gets bytes from the window and returns texts. */
export function tableServer(
  opener: (choice: TableChoice) => Promise<OpenColumnar>,
  post: (message: FromDecoder) => void,
): (message: ToDecoder) => void {
  const reads = new Map<number, PromiseWithResolvers<Uint8Array<ArrayBuffer>>>();
  const { signal } = new AbortController();
  let lastRead = 0;
  let file: ColumnarFile | null = null;

  const read = async (offset: number, length: number): Promise<Uint8Array<ArrayBuffer>> => {
    if (length > maxReadBytes) throw new BadFormat('A part of the file is too large.');
    lastRead += 1;
    const waiting = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
    reads.set(lastRead, waiting);
    post({ kind: 'read', read: lastRead, offset, length });
    return await waiting.promise;
  };
  const responseTo = async (question: ColumnarRequest): Promise<ColumnarResponse> => {
    if (question.kind === 'open') {
      const open = await opener(question).catch((thrown: unknown) => {
        throw new Unloaded('The decoder could not be loaded.', { cause: thrown });
      });
      file = await open({ sizeBytes: question.sizeBytes, read }, signal);
      return { description: file.description };
    }
    if (file === null) throw new Error('No file is open.');
    if (question.kind === 'row') return { values: await rowOf(file, question.columns, question.row) };
    return { part: await partOf(file, question.column, question.row) };
  };
  const rowOf = async (
    from: ColumnarFile,
    columns: readonly number[],
    row: number,
  ): Promise<readonly WholeValue[]> => {
    const values: WholeValue[] = [];
    let leftChars = maxRowChars;
    for (const column of columns) {
      const value = await wholeValue(from, column, row, Math.min(maxWholeTextLength, leftChars));
      leftChars -= value?.length ?? 0;
      values.push(leftChars > 0 ? value : undefined);
    }
    return values;
  };
  const wholeValue = async (
    from: ColumnarFile,
    column: number,
    row: number,
    maxChars: number,
  ): Promise<WholeValue> => {
    try {
      const part = await from.partAt(column, row, signal);
      if (part === null || typeof part === 'string') return undefined;
      return valueText(part.valueAt(row - part.firstRow, maxChars), maxChars);
    } catch (thrown) {
      if (thrown instanceof Unread) throw thrown;
      return undefined;
    }
  };
  /** Reads a column around a row. Damage is reported for this row group only, and other columns stay readable. */
  const partOf = async (from: ColumnarFile, column: number, row: number): Promise<TextPart | null> => {
    try {
      const part = await from.partAt(column, row, signal);
      if (part === null) return null;
      return typeof part === 'string' ? problemPart(from, row, part) : textsOf(part, row);
    } catch (thrown) {
      if (thrown instanceof Unread) throw thrown;
      return problemPart(from, row, 'unreadable');
    }
  };
  const response = async (id: number, question: ColumnarRequest): Promise<void> => {
    try {
      post({ kind: 'answer', id, answer: await responseTo(question) });
    } catch (thrown) {
      // The bytes of the file cause any other error in a decoder.
      if (thrown instanceof Unread) post({ kind: 'unread', id, read: thrown.read });
      else if (thrown instanceof Unloaded) post({ kind: 'unloaded', id });
      else post({ kind: 'refused', id, problem: thrown instanceof UnreadableFile ? thrown.problem : null });
    }
  };
  return (message) => {
    if (message.kind === 'ask') {
      void response(message.id, message.question);
      return;
    }
    const waiting = reads.get(message.read);
    reads.delete(message.read);
    if (message.kind === 'bytes') waiting?.resolve(message.bytes);
    else waiting?.reject(new Unread(message.read));
  };
}

/** Returns the texts of a column for a row and its neighbours. */
function textsOf({ firstRow, rowCount, valueAt }: ColumnPart, row: number): TextPart {
  const start = Math.max(0, row - firstRow - ((row - firstRow) % rowsPerPart));
  const end = Math.min(rowCount, start + rowsPerPart);
  const texts = Array.from({ length: Math.max(0, end - start) }, (_, at) => {
    try {
      return valueText(valueAt(start + at, maxValueTextLength));
    } catch {
      // Skips only this value, since its neighbours may be valid.
      return undefined;
    }
  });
  const problem = texts.includes(undefined) ? 'unreadable' : null;
  return { firstRow: firstRow + start, rowCount: texts.length, texts, problem };
}

/** Returns a part without texts for the row group of a row. */
function problemPart({ description }: ColumnarFile, row: number, problem: ColumnProblem): TextPart {
  const group = description.groups[groupWith(description.groups, row)];
  return { firstRow: group?.firstRow ?? row, rowCount: group?.rows ?? 1, texts: [], problem };
}
