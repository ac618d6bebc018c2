import { describe, expect, test } from 'vitest';
import { Faults, type FaultAction, type Service } from '../../support/lab-service/server.ts';
import { all, bucketWith, call, elementText, put, serve, type Reply } from './harness.ts';

const path = '/bucket/note.txt';

async function service(): Promise<Service> {
  const started = await serve();
  await bucketWith(started, ['note.txt']);
  started.faults.clear();
  return started;
}

function write(target: Service): Promise<Reply> {
  return call(target, { method: 'PUT', path, body: 'changed' });
}

async function stored(target: Service): Promise<string> {
  return (await call(target, { path })).text;
}

describe('a fault rule', () => {
  test('fires from the nth matching request for a number of times and counts', async () => {
    const target = await service();
    const fault = target.faults.add({
      operation: 'GetObject',
      nth: 2,
      times: 2,
      action: { kind: 'status', status: 503, code: 'SlowDown' },
    });
    const seen: number[] = [];
    for (let i = 0; i < 5; i++) seen.push((await call(target, { path })).status);
    expect(seen).toEqual([200, 503, 503, 200, 200]);
    expect([fault.seen, fault.fired]).toEqual([5, 2]);
  });

  test('matches by operation, method, bucket, key, part number and predicate', () => {
    const faults = new Faults();
    const action: FaultAction = { kind: 'token-expired' };
    const request = {
      operation: 'UploadPart',
      method: 'PUT',
      bucket: 'b',
      key: 'k',
      uploadId: 'u',
      partNumber: 3,
      query: new Map(),
      headers: new Map(),
    } as const;
    const rules = [
      { operation: ['GetObject', 'UploadPart'] },
      { method: 'PUT' },
      { bucket: 'b' },
      { key: 'k' },
      { partNumber: 3 },
      { when: () => true },
    ] as const;
    for (const rule of rules) faults.add({ ...rule, action });
    for (const _ of rules) expect(faults.take(request)).toBe(action);
    expect(faults.take(request)).toBeNull();
    for (const rule of [
      { operation: 'GetObject' },
      { method: 'GET' },
      { bucket: 'c' },
      { key: 'l' },
      { partNumber: 4 },
      { when: () => false },
    ] as const)
      faults.add({ ...rule, action });
    expect(faults.take(request)).toBeNull();
  });

  test('that is due first wins, and a removed one no longer fires', async () => {
    const target = await service();
    const first = target.faults.add({
      times: Infinity,
      action: { kind: 'status', status: 500, code: 'InternalError' },
    });
    target.faults.add({ times: Infinity, action: { kind: 'status', status: 503, code: 'SlowDown' } });
    expect((await call(target, { path })).status).toBe(500);
    first.remove();
    expect((await call(target, { path })).status).toBe(503);
  });

  test('is noted in the journal of requests', async () => {
    const target = await service();
    target.faults.add({ action: { kind: 'status', status: 500, code: 'InternalError' } });
    await call(target, { path });
    await call(target, { path });
    expect(target.faults.journal.map(({ operation, key, fault }) => [operation, key, fault])).toEqual([
      ['GetObject', 'note.txt', 'status'],
      ['GetObject', 'note.txt', null],
    ]);
    expect(target.faults.count('GetObject')).toBe(2);
  });
});

describe('the fault', () => {
  test.each([
    [false, 'note.txt'],
    [true, 'changed'],
  ])('"reset" breaks the connection, applied: %s', async (apply, after) => {
    const target = await service();
    const fault = target.faults.add({ method: 'PUT', action: { kind: 'reset', apply } });
    await expect(write(target)).rejects.toThrow(/ECONNRESET|socket hang up/);
    expect(fault.fired).toBe(1);
    expect(await stored(target)).toBe(after);
  });

  test('"status" sends code, message and Retry-After, and applies the request only if configured', async () => {
    const target = await service();
    target.faults.add({ action: { kind: 'status', status: 503, code: 'SlowDown', retryAfterSeconds: 7 } });
    const reply = await write(target);
    expect([reply.status, elementText(reply.text, 'Code'), reply.headers['retry-after']]).toEqual([
      503,
      'SlowDown',
      '7',
    ]);
    expect(await stored(target)).toBe('note.txt');
    target.faults.add({ action: { kind: 'status', status: 504, code: 'GatewayTimeout', apply: true } });
    expect((await write(target)).status).toBe(504);
    expect(await stored(target)).toBe('changed');
  });

  test.each([
    [false, 'note.txt'],
    [true, 'changed'],
  ])('"ok-with-error" sends an error after white space, applied: %s', async (apply, after) => {
    const target = await service();
    target.faults.add({
      action: { kind: 'ok-with-error', code: 'InternalError', whitespaceBytes: 4096, apply },
    });
    const reply = await write(target);
    expect([reply.status, elementText(reply.text, 'Code'), reply.text.search(/\S/)]).toEqual([
      200,
      'InternalError',
      4096,
    ]);
    expect(await stored(target)).toBe(after);
  });

  test('"whitespace" sends white space before the real, complete response', async () => {
    const target = await service();
    target.faults.add({ action: { kind: 'whitespace', bytes: 100, ms: 60 } });
    const reply = await call(target, { path: '/bucket' });
    expect(reply.text.search(/\S/)).toBe(100);
    expect(all(reply.text, 'Key')).toEqual(['note.txt']);
  });

  test('"cut-answer" truncates a response with a reset or as if complete', async () => {
    const target = await service();
    target.faults.add({ action: { kind: 'cut-answer', bytes: 10 } });
    await expect(call(target, { path: '/bucket' })).rejects.toThrow(/aborted|ECONNRESET|hang up/);
    target.faults.add({ action: { kind: 'cut-answer', bytes: 10, clean: true } });
    expect((await call(target, { path: '/bucket' })).text).toBe('<?xml vers');
  });

  test('"cut-answer" truncates the body of an object', async () => {
    const target = await service();
    await put(target, 'bucket', 'note.txt', Buffer.alloc(400_000));
    target.faults.add({ operation: 'GetObject', action: { kind: 'cut-answer', bytes: 300_000 } });
    await expect(call(target, { path })).rejects.toThrow(/aborted|ECONNRESET|hang up/);
    expect((await call(target, { path })).bytes.byteLength).toBe(400_000);
  });

  test('"ok-empty" and "ok-html" send a 200 without content or with a web page', async () => {
    const target = await service();
    target.faults.add({ action: { kind: 'ok-empty', apply: false } });
    const empty = await write(target);
    expect([empty.status, empty.text, await stored(target)]).toEqual([200, '', 'note.txt']);
    target.faults.add({ action: { kind: 'ok-html', apply: true } });
    const html = await write(target);
    expect([html.headers['content-type'], await stored(target)]).toEqual(['text/html', 'changed']);
  });

  test('"cut-request" stores nothing', async () => {
    const target = await service();
    target.faults.add({ method: 'PUT', action: { kind: 'cut-request', bytes: 3 } });
    await expect(write(target)).rejects.toThrow(/ECONNRESET|socket hang up|EPIPE/);
    expect(await stored(target)).toBe('note.txt');
  });

  test('"token-expired" and "clock-skew" reject one request for its token or clock', async () => {
    const target = await service();
    target.faults.add({ action: { kind: 'token-expired' } });
    expect(elementText((await call(target, { path })).text, 'Code')).toBe('ExpiredToken');
    target.faults.add({ action: { kind: 'clock-skew', ms: 20 * 60_000 } });
    const skewed = await call(target, { path });
    expect(elementText(skewed.text, 'Code')).toBe('RequestTimeTooSkewed');
    expect(Date.parse(skewed.headers.date ?? '') - Date.now()).toBeGreaterThan(19 * 60_000);
    expect((await call(target, { path })).status).toBe(200);
  });

  test('clockOffsetMs rejects requests until it is reset', async () => {
    const target = await service();
    target.faults.clockOffsetMs = -20 * 60_000;
    expect(elementText((await call(target, { path })).text, 'Code')).toBe('RequestTimeTooSkewed');
    expect((await call(target, { path, now: new Date(Date.now() - 20 * 60_000) })).status).toBe(200);
  });

  test.each(['before', 'after'] as const)(
    '"delay" %s, and added latency, delay the response',
    async (when) => {
      const target = await service();
      target.faults.add({ action: { kind: 'delay', ms: 40, when } });
      target.faults.latencyMs = 20;
      const start = performance.now();
      expect((await call(target, { path })).status).toBe(200);
      expect(performance.now() - start).toBeGreaterThan(55);
    },
  );

  test('"hold" applies a request when it is released, not before', async () => {
    const target = await service();
    const gate = Promise.withResolvers<void>();
    const held = target.faults.add({ operation: 'PutObject', action: { kind: 'hold', until: gate.promise } });
    const answered = write(target);
    await expect.poll(() => held.fired, { interval: 5 }).toBe(1);
    expect(await stored(target)).not.toBe('changed');
    gate.resolve();
    expect((await answered).status).toBe(200);
    expect(await stored(target)).toBe('changed');
  });

  test('"hold" does not delay closing the service', async () => {
    const target = await service();
    const held = target.faults.add({
      action: { kind: 'hold', until: Promise.withResolvers<void>().promise },
    });
    const ended = write(target).then(
      () => 'answered',
      () => 'broken off',
    );
    await expect.poll(() => held.fired, { interval: 5 }).toBe(1);
    await target.close();
    expect(await ended).toBe('broken off');
  });

  test('"throttle" sends a complete response slowly', async () => {
    const target = await service();
    await put(target, 'bucket', 'note.txt', Buffer.alloc(10_000, 'x'));
    target.faults.add({ action: { kind: 'throttle', bytesPerSecond: 100_000 } });
    const start = performance.now();
    expect((await call(target, { path })).bytes.byteLength).toBe(10_000);
    expect(performance.now() - start).toBeGreaterThan(80);
  });

  test('"hang" delays neither other requests nor closing the service', async () => {
    const target = await service();
    target.faults.add({ action: { kind: 'hang', apply: true } });
    const hanging = write(target).then(
      () => 'answered',
      () => 'broken off',
    );
    await expect.poll(() => stored(target), { interval: 5 }).toBe('changed');
    await target.close();
    expect(await hanging).toBe('broken off');
  });
});
