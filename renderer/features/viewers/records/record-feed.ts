import type { RangeSource } from '../frame/range-source.ts';
import type { TextEncoding } from '../encoding/text-encoding.ts';
import { detectEncoding } from '../encoding/detect-encoding.ts';

/** The text of a file, read block by block. */
interface TextStream {
  /** Known once the first block has been read. */
  readonly encoding: TextEncoding;
  /** The number of bytes read so far. */
  readonly readBytes: number;
  /** Returns the next block, or null at the end. Only one call may run at a time. */
  next(signal: AbortSignal): Promise<string | null>;
}

const textBlockBytes = 256 * 1024;

interface TextStreamOptions {
  readonly blockBytes?: number;
  /** The encoding that the user has set, or null for the detected encoding. */
  readonly chosen?: TextEncoding | null;
}

/** Reads a text from its beginning. A block that failed can be requested again. */
export function textStream(
  source: RangeSource,
  { blockBytes = textBlockBytes, chosen = null }: TextStreamOptions = {},
): TextStream {
  let decoder: TextDecoder | null = null;
  let encoding: TextEncoding = 'utf-8';
  let readBytes = 0;
  return {
    get encoding() {
      return encoding;
    },
    get readBytes() {
      return readBytes;
    },
    next: async (signal) => {
      if (readBytes >= source.sizeBytes) return null;
      const bytes = await source.read(readBytes, blockBytes, signal);
      if (bytes.length === 0) throw new Error('The source ended before its size.');
      if (decoder === null) {
        ({ encoding } = detectEncoding(bytes, chosen, 'part'));
        decoder = new TextDecoder(encoding);
      }
      readBytes += bytes.length;
      return decoder.decode(bytes, { stream: readBytes < source.sizeBytes });
    },
  };
}

/** Limit of the text kept in memory for one file. The window shows a note if the file has more. */
export const maxTextBytes = 64 * 1024 * 1024;
/** Limit of a record. Without it, one endless line would cause the whole file to be read. */
const maxRecordBytes = 8 * 1024 * 1024;

/** Cuts a growing text into records. */
export interface RecordCutter<R> {
  /** Adds text and returns the records that are now complete. */
  push(text: string): readonly R[];
  /** Returns the remaining records at the end of the file. */
  end(): readonly R[];
}

export const maxRecords = 1_000_000;

export type FeedState =
  /** More records follow. */
  | 'open'
  | 'whole'
  /** The limit was reached. */
  | 'cut';

/** The records of a file, read from the beginning as far as the user scrolls. */
export interface RecordFeed<R> {
  /** Records are only appended, never changed. */
  readonly records: readonly R[];
  readonly state: FeedState;
  readonly encoding: TextEncoding;
  readonly readBytes: number;
  /** Reads the next block, which adds records or changes the state. Concurrent calls share one read. */
  more(signal: AbortSignal): Promise<void>;
}

export interface FeedLimits {
  readonly textBytes: number;
  readonly records: number;
}

const defaultLimits: FeedLimits = { textBytes: maxTextBytes, records: maxRecords };

export interface FeedOptions extends Partial<FeedLimits> {
  /** The encoding that the user has set, or null for the detected encoding. */
  readonly chosen?: TextEncoding | null;
}

export function recordFeed<R>(
  source: RangeSource,
  makeCutter: (firstText: string) => RecordCutter<R>,
  { chosen = null, ...limitOverrides }: FeedOptions = {},
): RecordFeed<R> {
  const limits: FeedLimits = { ...defaultLimits, ...limitOverrides };
  const text = textStream(source, { chosen });
  const records: R[] = [];
  let cutter: RecordCutter<R> | null = null;
  let state: FeedState = source.sizeBytes === 0 ? 'whole' : 'open';
  let inFlight: Promise<void> | null = null;

  const addRecords = (newRecords: readonly R[]): void => {
    for (const record of newRecords) {
      if (records.length >= limits.records) {
        state = 'cut';
        return;
      }
      records.push(record);
    }
  };
  const readMore = async (signal: AbortSignal): Promise<void> => {
    const before = records.length;
    const startBytes = text.readBytes;
    while (state === 'open' && records.length === before) {
      const block = await text.next(signal);
      if (block === null) {
        state = 'whole';
        addRecords(cutter?.end() ?? []);
        return;
      }
      cutter ??= makeCutter(block);
      addRecords(cutter.push(block));
      if (state === 'open' && text.readBytes >= source.sizeBytes) {
        state = 'whole';
        addRecords(cutter.end());
      } else if (state === 'open' && text.readBytes >= limits.textBytes) state = 'cut';
      else if (records.length === before && text.readBytes - startBytes >= maxRecordBytes) {
        // Shows the beginning of a record that exceeds the limit, and stops reading.
        state = 'cut';
        addRecords(cutter.end());
      }
    }
  };
  return {
    records,
    get state() {
      return state;
    },
    get encoding() {
      return text.encoding;
    },
    get readBytes() {
      return text.readBytes;
    },
    more: async (signal) => {
      inFlight ??= readMore(signal).finally(() => {
        inFlight = null;
      });
      await inFlight;
    },
  };
}
