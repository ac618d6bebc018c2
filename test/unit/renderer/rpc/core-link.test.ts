import { ORPCError } from '@orpc/client';
import { describe, expect, it } from 'vitest';
import {
  CoreLink,
  reconnectDelayMs,
  type Channel,
  type CloseReason,
  type Timer,
} from '../../../../renderer/rpc/core-link.ts';
import { appErrorOf } from '../../../../renderer/rpc/errors.ts';
import { failure } from '../../../../shared/errors.ts';

/** A timer that runs its callbacks when the test calls it. */
function handTimer() {
  const waiting: { readonly run: () => void; readonly delayMs: number }[] = [];
  const timer: Timer = {
    set: (run, delayMs) => {
      const entry = { run, delayMs };
      waiting.push(entry);
      return () => {
        waiting.splice(waiting.indexOf(entry), 1);
      };
    },
    fraction: () => 1,
  };
  return { timer, waiting, ring: () => waiting.shift()?.run() };
}

function channel(call: (path: readonly string[]) => Promise<unknown> = () => Promise.resolve('answer')) {
  const { promise, resolve } = Promise.withResolvers<CloseReason>();
  const opened: Channel = { link: { call: (path) => call(path) }, closed: promise };
  return { opened, close: resolve };
}

const lost: CloseReason = { kind: 'lost' };
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
const ask = (link: CoreLink, signal?: AbortSignal): Promise<unknown> =>
  link.call(['app', 'info'], undefined, { context: {}, ...(signal === undefined ? {} : { signal }) });

describe('the link to the core', () => {
  it('queues calls until the first channel opens', async () => {
    const link = new CoreLink(handTimer().timer);
    const early = ask(link);
    link.start(() => Promise.resolve(channel().opened));
    await expect(early).resolves.toBe('answer');
    expect(link.status()).toEqual({ kind: 'ready', generation: 1 });
  });

  it('reconnects after a loss with growing delays', async () => {
    const { timer, waiting, ring } = handTimer();
    const link = new CoreLink(timer);
    const first = channel();
    const outcomes: (Channel | CloseReason)[] = [first.opened, lost, lost, channel().opened];
    link.start(() => Promise.resolve(outcomes.shift() ?? lost));
    await settle();
    first.close(lost);
    await settle();
    const delays: number[] = [];
    while (link.status().kind === 'lost') {
      delays.push(waiting[0]?.delayMs ?? 0);
      ring();
      await settle();
    }
    expect(delays).toEqual([500, 1000, 2000]);
    expect(link.status()).toEqual({ kind: 'ready', generation: 2 });
  });

  it('rejects calls at once as disconnected while it is lost', async () => {
    const link = new CoreLink(handTimer().timer);
    link.start(() => Promise.resolve(lost));
    await settle();
    const error = await ask(link).catch(appErrorOf);
    expect(error).toMatchObject({ code: 'disconnected', retry: 'backoff' });
  });

  it('rejects calls as disconnected if the channel breaks, and passes errors of the core on', async () => {
    const { promise, reject } = Promise.withResolvers<unknown>();
    const breaking = channel(() => promise);
    const link = new CoreLink(handTimer().timer);
    link.start(() => Promise.resolve(breaking.opened));
    const call = ask(link).catch(appErrorOf);
    await settle();
    breaking.close(lost);
    await settle();
    reject(new Error('closed'));
    expect(await call).toMatchObject({ code: 'disconnected', outcome: 'unknown' });

    const data = failure('not-found', 'gone').error;
    const answering = channel(() => Promise.reject(new ORPCError('APP', { defined: true, data })));
    const other = new CoreLink(handTimer().timer);
    other.start(() => Promise.resolve(answering.opened));
    expect(await ask(other).catch(appErrorOf)).toMatchObject({ code: 'not-found' });
  });

  it('stops reconnecting when a new code is needed', async () => {
    const { timer, waiting } = handTimer();
    const link = new CoreLink(timer);
    link.start(() => Promise.resolve({ kind: 'needs-code', reason: 'expired' }));
    await settle();
    expect(link.status()).toEqual({ kind: 'needs-code', reason: 'expired' });
    expect(waiting).toHaveLength(0);
  });

  it('drops a call that is aborted while queued', async () => {
    const link = new CoreLink(handTimer().timer);
    const aborter = new AbortController();
    const call = ask(link, aborter.signal).catch(appErrorOf);
    aborter.abort();
    expect(await call).toMatchObject({ code: 'cancelled' });
  });

  it('reconnects at once on request', async () => {
    const { timer, waiting } = handTimer();
    const link = new CoreLink(timer);
    const outcomes: (Channel | CloseReason)[] = [lost, channel().opened];
    link.start(() => Promise.resolve(outcomes.shift() ?? lost));
    await settle();
    link.tryNow();
    await settle();
    expect(link.status().kind).toBe('ready');
    expect(waiting).toHaveLength(0);
  });

  it('waits between half and all of a growing delay of at most 15 seconds', () => {
    expect(reconnectDelayMs(0, 0)).toBe(250);
    expect(reconnectDelayMs(0, 1)).toBe(500);
    expect(reconnectDelayMs(50, 1)).toBe(15_000);
  });
});

describe('an error caught in the window', () => {
  it('is mapped to an AppError, whatever was thrown', () => {
    expect(appErrorOf(failure('timeout', 'slow')).code).toBe('timeout');
    expect(appErrorOf(new ORPCError('BAD_REQUEST')).code).toBe('invalid-argument');
    expect(appErrorOf(new ORPCError('INTERNAL_SERVER_ERROR')).code).toBe('internal');
    expect(appErrorOf(new ORPCError('APP', { data: { code: 'nonsense' } })).code).toBe('internal');
    expect(appErrorOf(new DOMException('aborted', 'AbortError')).code).toBe('cancelled');
    expect(appErrorOf('text').code).toBe('internal');
  });
});
