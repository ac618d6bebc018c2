import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import {
  type ColumnPart,
  plainDescription,
} from '../../../../renderer/features/viewers/columnar/columnar-file.ts';
import type {
  FromDecoder,
  ToDecoder,
} from '../../../../renderer/features/viewers/columnar/columnar-messages.ts';
import {
  maxReaderSilenceMs,
  tableReader,
  TooComplex,
  type TableReader,
} from '../../../../renderer/features/viewers/columnar/table-reader.ts';
import { tableServer } from '../../../../renderer/features/viewers/columnar/table-server.ts';
import { changedFooter, firstChunks, type ThriftFields } from '../../../support/files/parquet-footer.ts';
import { memorySource, type RangeSource } from '../../../../renderer/features/viewers/frame/range-source.ts';
import { openParquet } from '../../../../renderer/features/viewers/parquet/parquet-file.ts';

const { signal } = new AbortController();
const description = plainDescription;
const parquet = { format: 'parquet', sqlite: null } as const;

/** A worker whose messages the test takes and sends. */
class StandInWorker extends EventTarget {
  readonly #onMessage: (message: ToDecoder, transfer: Transferable[]) => void;
  readonly terminate: () => void;

  constructor(
    onMessage: (message: ToDecoder, transfer: Transferable[]) => void,
    terminate: () => void = () => undefined,
  ) {
    super();
    this.#onMessage = onMessage;
    this.terminate = terminate;
  }

  postMessage(message: unknown, options?: Transferable[] | StructuredSerializeOptions): void {
    this.#onMessage(message as ToDecoder, Array.isArray(options) ? options : []);
  }

  say(message: FromDecoder): void {
    this.dispatchEvent(new MessageEvent('message', { data: message }));
  }
}

/** A decoder that replies as the test orders. */
function silentWorker() {
  const posted: ToDecoder[] = [];
  let isEnded = false;
  const worker = new StandInWorker(
    (message) => void posted.push(message),
    () => {
      isEnded = true;
    },
  );
  return {
    worker,
    posted,
    say: (message: FromDecoder) => worker.say(message),
    breakDown: () => worker.dispatchEvent(new Event('error')),
    isEnded: () => isEnded,
  };
}

/** A clock that the test advances. */
function handClock() {
  let now = 0;
  const timers = new Map<() => void, number>();
  return {
    start: (run: () => void, ms: number) => {
      const timer = (): void => run();
      timers.set(timer, now + ms);
      return () => void timers.delete(timer);
    },
    pass: (ms: number) => {
      now += ms;
      for (const [run, at] of timers)
        if (at <= now) {
          timers.delete(run);
          run();
        }
    },
    running: () => timers.size,
  };
}

function silentReader(source: RangeSource = memorySource(new Uint8Array(100))) {
  const decoder = silentWorker();
  const clock = handClock();
  return { ...decoder, clock, reader: tableReader(source, parquet, decoder.worker, clock.start) };
}

test('a decoder silent for ten seconds is terminated and all requests reject', async () => {
  const { reader, clock, isEnded } = silentReader();
  const opened = reader.open();
  const part = reader.partAt(0, 0, signal);
  clock.pass(maxReaderSilenceMs - 1);
  expect(isEnded()).toBe(false);
  clock.pass(1);
  expect(isEnded()).toBe(true);
  await expect(opened).rejects.toBeInstanceOf(TooComplex);
  await expect(part).rejects.toBeInstanceOf(TooComplex);
  await expect(reader.partAt(0, 0, signal)).rejects.toBeInstanceOf(TooComplex);
  expect(clock.running()).toBe(0);
});

test('time spent reading bytes does not count as silence, nor time without a request', async () => {
  const bytes = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
  const source = { ...memorySource(new Uint8Array(100)), read: async () => await bytes.promise };
  const { reader, clock, say, posted, isEnded } = silentReader(source);
  const opened = reader.open();
  say({ kind: 'read', read: 1, offset: 0, length: 10 });
  clock.pass(maxReaderSilenceMs * 5);
  expect(isEnded()).toBe(false);
  bytes.resolve(new Uint8Array(10));
  await expect.poll(() => posted.at(-1)).toMatchObject({ kind: 'bytes', read: 1 });
  clock.pass(maxReaderSilenceMs - 1);
  say({ kind: 'answer', id: 1, answer: { description } });
  expect(await opened).toBe(description);
  clock.pass(maxReaderSilenceMs * 5);
  expect(isEnded()).toBe(false);
});

test('closing the viewer terminates the decoder and aborts its reads', async () => {
  let reading: AbortSignal | undefined;
  const source: RangeSource = {
    ...memorySource(new Uint8Array(100)),
    read: async (_offset, _length, using) => {
      reading = using;
      return await new Promise(() => undefined);
    },
  };
  const { reader, say, isEnded, clock } = silentReader(source);
  const opened = reader.open();
  say({ kind: 'read', read: 1, offset: 0, length: 10 });
  reader.close();
  expect(isEnded()).toBe(true);
  expect(reading?.aborted).toBe(true);
  await expect(opened).rejects.toThrow('closed');
  expect(clock.running()).toBe(0);
});

test('a decoder that cannot be loaded is reported as disconnected, not as a bad file', async () => {
  const { reader, breakDown, isEnded } = silentReader();
  const opened = reader.open();
  breakDown();
  expect(isEnded()).toBe(true);
  await expect(opened).rejects.toMatchObject({ error: { code: 'disconnected' } });

  const halfLoaded = silentReader();
  const second = halfLoaded.reader.open();
  halfLoaded.say({ kind: 'unloaded', id: 1 });
  await expect(second).rejects.toMatchObject({ error: { code: 'disconnected' } });

  const messages: FromDecoder[] = [];
  const server = tableServer(
    async () => await Promise.reject(new TypeError('Failed to fetch dynamically imported module')),
    (message) => messages.push(message),
  );
  server({ kind: 'ask', id: 7, question: { kind: 'open', format: 'arrow', sqlite: null, sizeBytes: 10 } });
  await expect.poll(() => messages).toEqual([{ kind: 'unloaded', id: 7 }]);
});

test('a decoder that fails, or reads endlessly or outside the file, is terminated', async () => {
  const broken = silentReader();
  const first = broken.reader.open();
  broken.say({ kind: 'read', read: 1, offset: 0, length: 1 });
  broken.breakDown();
  await expect(first).rejects.toBeInstanceOf(TooComplex);
  for (const [offset, length] of [
    [0, 1e12],
    [-1, 5],
    [Number.NaN, 5],
  ] as const) {
    const { reader, say, isEnded } = silentReader();
    const opened = reader.open();
    say({ kind: 'read', read: 1, offset, length });
    expect(isEnded()).toBe(true);
    await expect(opened).rejects.toBeInstanceOf(TooComplex);
  }
  const greedy = silentReader();
  const opened = greedy.reader.open();
  for (let read = 1; read <= 5001; read += 1) greedy.say({ kind: 'read', read, offset: 0, length: 1 });
  await expect(opened).rejects.toBeInstanceOf(TooComplex);
});

test('at most four requests are with the decoder, and an aborted one is never sent', async () => {
  const { reader, posted, say } = silentReader();
  const left = new AbortController();
  const asks = Array.from({ length: 4 }, async (_, column) => await reader.partAt(column, 0, signal));
  const dropped = reader.partAt(4, 0, left.signal);
  const last = reader.partAt(5, 0, signal);
  left.abort();
  expect(posted).toHaveLength(4);
  say({ kind: 'answer', id: 1, answer: { part: null } });
  await expect(dropped).rejects.toThrow('aborted');
  await expect.poll(() => posted).toHaveLength(5);
  expect(posted[4]).toMatchObject({ question: { column: 5 } });
  for (const id of [2, 3, 4, 5])
    say({ kind: 'answer', id, answer: { part: { firstRow: id, rowCount: 0, texts: [], problem: null } } });
  expect((await last)?.firstRow).toBe(5);
  expect(await Promise.all(asks)).toHaveLength(4);
});

/** Connects a window and a decoder in one process. */
function joined(source: RangeSource): TableReader {
  const server = tableServer(
    async () => await Promise.resolve(openParquet),
    (message) => queueMicrotask(() => worker.say(structuredClone(message))),
  );
  const worker = new StandInWorker((message, transfer) => {
    const crossed = structuredClone(message, { transfer });
    queueMicrotask(() => server(crossed));
  });
  return tableReader(source, parquet, worker, handClock().start);
}

const numbers = Array.from({ length: 3000 }, (_, row) => row);
const whole = new Uint8Array(
  parquetWriteBuffer({ columnData: [{ name: 'n', data: numbers, type: 'INT32' }], rowGroupSize: 1000 }),
);

test('rows arrive as text in chunks from any position of the file', async () => {
  const reader = joined(memorySource(whole));
  expect((await reader.open()).rowCount).toBe(3000);
  const part = await reader.partAt(0, 2300, signal);
  expect(part?.texts.length).toBeLessThanOrEqual(128);
  expect(part?.texts[2300 - (part.firstRow ?? 0)]).toBe('2300');
  expect(await reader.partAt(7, 0, signal)).toBeNull();
  expect(await reader.partAt(0, 3000, signal)).toBeNull();
});

test('a midnight time shows its hour like the times beside it, and a date none', async () => {
  const moments = [new Date(Date.UTC(2026, 0, 1)), new Date(Date.UTC(2026, 0, 1, 1))];
  const file = parquetWriteBuffer({
    columnData: [
      ...['time', 'day'].map((name) => ({ name, data: moments })),
      ...['times', 'days'].map((name) => ({ name, data: moments.map((moment) => [moment]) })),
    ],
    schema: [
      { name: 'root', num_children: 4 },
      { name: 'time', type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', repetition_type: 'REQUIRED' },
      { name: 'day', type: 'INT32', converted_type: 'DATE', repetition_type: 'REQUIRED' },
      { name: 'times', num_children: 1, converted_type: 'LIST', repetition_type: 'REQUIRED' },
      { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
      { name: 'element', type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', repetition_type: 'REQUIRED' },
      { name: 'days', num_children: 1, converted_type: 'LIST', repetition_type: 'REQUIRED' },
      { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
      { name: 'element', type: 'INT32', converted_type: 'DATE', repetition_type: 'REQUIRED' },
    ],
  });
  const reader = joined(memorySource(new Uint8Array(file)));
  await reader.open();
  expect((await reader.partAt(0, 0, signal))?.texts).toEqual([
    '2026-01-01T00:00:00.000Z',
    '2026-01-01T01:00:00.000Z',
  ]);
  expect((await reader.partAt(1, 0, signal))?.texts).toEqual(['2026-01-01', '2026-01-01']);
  expect((await reader.partAt(2, 0, signal))?.texts).toEqual([
    '["2026-01-01T00:00:00.000Z"]',
    '["2026-01-01T01:00:00.000Z"]',
  ]);
  expect((await reader.partAt(3, 0, signal))?.texts).toEqual(['["2026-01-01"]', '["2026-01-01"]']);
});

test('an unreadable column reports the reason per row group and leaves the others readable', async () => {
  const two = parquetWriteBuffer({
    columnData: ['secret', 'open'].map((name) => ({ name, data: [1, 2, 3], type: 'INT32' as const })),
  });
  const hidden = (change: (chunk: ThriftFields) => void): TableReader =>
    joined(memorySource(changedFooter(new Uint8Array(two), (file) => change(firstChunks(file)[0] ?? {}))));
  const encrypted = hidden((chunk) => (chunk['field_8'] = { field_1: {} }));
  await encrypted.open();
  const none = { firstRow: 0, rowCount: 3, texts: [] };
  expect(await encrypted.partAt(0, 1, signal)).toEqual({ ...none, problem: 'encrypted' });
  expect((await encrypted.partAt(1, 1, signal))?.texts).toEqual(['1', '2', '3']);
  const damaged = hidden((chunk) => ((chunk['field_3'] as ThriftFields)['field_9'] = 1n));
  await damaged.open();
  expect(await damaged.partAt(0, 1, signal)).toEqual({ ...none, problem: 'unreadable' });
  expect((await damaged.partAt(1, 1, signal))?.texts).toEqual(['1', '2', '3']);
});

const damagedPart = async (): Promise<ColumnPart> =>
  await Promise.resolve({
    firstRow: 0,
    rowCount: 3,
    valueAt: (index) => {
      if (index === 1) throw new Error('This value is damaged.');
      return index;
    },
  });

test('values next to a damaged one are shown', async () => {
  const server = tableServer(
    async () =>
      await Promise.resolve(async () => {
        return await Promise.resolve({ description, partAt: damagedPart });
      }),
    (message) => messages.push(message),
  );
  const messages: FromDecoder[] = [];
  server({ kind: 'ask', id: 1, question: { kind: 'open', format: 'arrow', sqlite: null, sizeBytes: 10 } });
  await expect.poll(() => messages).toHaveLength(1);
  server({ kind: 'ask', id: 2, question: { kind: 'part', column: 0, row: 0 } });
  await expect
    .poll(() => messages[1])
    .toMatchObject({ answer: { part: { texts: ['0', undefined, '2'], problem: 'unreadable' } } });
});

test('an error while reading is reported unchanged, and the next attempt reads again', async () => {
  let isDown = false;
  const source: RangeSource = {
    ...memorySource(whole),
    read: async (offset, length) => {
      if (isDown) throw new TypeError('The network is down.');
      return await Promise.resolve(whole.subarray(offset, offset + length));
    },
  };
  const reader = joined(source);
  await reader.open();
  isDown = true;
  await expect(reader.partAt(0, 0, signal)).rejects.toThrow('The network is down.');
  isDown = false;
  expect((await reader.partAt(0, 0, signal))?.texts[0]).toBe('0');
});

test('a file of another format is refused and the decoder stays usable', async () => {
  const reader = joined(memorySource(new Uint8Array(50)));
  await expect(reader.open()).rejects.toThrow('cannot read');
});

test('the whole values of a row are read where its cells are cut', async () => {
  const long = 'x'.repeat(3000);
  const list = Array.from({ length: 2000 }, (_, at) => at);
  const bytes = new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: 'long', data: ['short', long], type: 'STRING' },
        { name: 'list', data: [[], list] },
        { name: 'none', data: ['', null], type: 'STRING', nullable: true },
      ],
    }),
  );
  const reader = joined(memorySource(bytes));
  await reader.open();
  expect((await reader.partAt(0, 1, signal))?.texts[1]).toBe(`${'x'.repeat(500)}…`);
  expect(await reader.rowAt([0, 1, 2], 1, signal)).toEqual([long, JSON.stringify(list), null]);
  reader.close();
});
