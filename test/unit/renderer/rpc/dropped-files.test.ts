import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { takeDropped, takeDroppedMany } from '../../../../renderer/rpc/dropped-files.ts';

/** The calls to the core. `onCall` runs while a call is in flight. */
const core = vi.hoisted(() => ({ calls: [] as string[], onCall: (_call: string): void => undefined }));

function reply<T>(call: string, value: T, signal?: AbortSignal): Promise<T> {
  core.calls.push(call);
  core.onCall(call);
  return signal?.aborted === true ? Promise.reject(new Error('aborted')) : Promise.resolve(value);
}

vi.mock('../../../../renderer/rpc/client.ts', () => ({
  rpc: {
    files: {
      receive: (_input: unknown, options?: { readonly signal: AbortSignal }) =>
        reply('receive', { path: '/bytes/1', handle: 'h' }, options?.signal),
      receiveBatch: (_input: unknown, options?: { readonly signal: AbortSignal }) =>
        reply('receiveBatch', { path: '/bytes/1', dropHandle: 'd' }, options?.signal),
      droppedEntries: () => reply('droppedEntries', ['h']),
      discard: ({ handle }: { readonly handle: string }) => reply(`discard ${handle}`, undefined),
    },
  },
}));

/** A request that is accepted as soon as it is sent, unless it is aborted at once. */
class AcceptedRequest extends EventTarget {
  readonly upload = new EventTarget();
  readonly status = 204;
  readonly open = (): void => undefined;
  readonly setRequestHeader = (): void => undefined;
  readonly send = (): void => {
    queueMicrotask(() => this.dispatchEvent(new Event('load')));
  };
  readonly abort = (): void => {
    this.dispatchEvent(new Event('abort'));
  };
}

beforeEach(() => {
  core.calls = [];
  core.onCall = () => undefined;
  vi.stubGlobal('window', {});
  vi.stubGlobal('XMLHttpRequest', AcceptedRequest);
});
afterEach(() => vi.unstubAllGlobals());

const file = new File(['abc'], 'a.txt');
const items = [{ file, entry: null }];

/** Aborts the signal while this call is in flight. */
function abortingDuring(call: string): AbortSignal {
  const aborter = new AbortController();
  core.onCall = (current) => {
    if (current === call) aborter.abort();
  };
  return aborter.signal;
}

test('a copy of one file is discarded in the core if it is stopped before the core has replied', async () => {
  const options = { signal: abortingDuring('receive'), onSent: () => undefined };
  await expect(takeDropped(file, options)).rejects.toMatchObject({ error: { code: 'cancelled' } });
  expect(core.calls).toEqual(['receive', 'discard h']);
});

test('a copy of many files is discarded in the core if it is stopped before the core has replied', async () => {
  const taking = takeDroppedMany(items, abortingDuring('receiveBatch'), () => undefined);
  await expect(taking).rejects.toMatchObject({ error: { code: 'cancelled' } });
  expect(core.calls).toEqual(['receiveBatch', 'discard d']);
});

test('files are not handed over if the user stops after their last byte was sent', async () => {
  const taking = takeDroppedMany(items, abortingDuring('droppedEntries'), () => undefined);
  await expect(taking).rejects.toMatchObject({ name: 'AbortError' });
  expect(core.calls).toEqual(['receiveBatch', 'droppedEntries', 'discard d']);
});
