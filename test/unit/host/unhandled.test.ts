import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { guardProcess } from '../../../electron/host/unhandled.ts';
import { fakePorts } from '../../support/core/fake-ports.ts';

test('every uncaught error is logged, and reported to the user once', () => {
  const target = new EventEmitter();
  const ports = fakePorts();
  const tell = vi.fn<() => void>();
  const stop = guardProcess({ logger: ports.logger, tell }, target);
  target.emit('uncaughtException', new Error('one'));
  target.emit('unhandledRejection', new Error('two'), Promise.resolve());
  expect(ports.logger.lines.filter(({ level }) => level === 'error')).toHaveLength(2);
  expect(tell).toHaveBeenCalledTimes(1);
  stop();
  expect(target.listenerCount('uncaughtException')).toBe(0);
});
