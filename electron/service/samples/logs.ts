import { smallObject } from '../store/blobs.ts';
import type { NewObject } from '../store/model.ts';
import { pick, seededRandom } from './random.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
const paths = [
  '/',
  '/tides',
  '/tides/today',
  '/berths/12',
  '/berths/7',
  '/lights',
  '/news',
  '/login',
] as const;
const hosts = ['mole-1', 'mole-2', 'quay-1', 'quay-2'] as const;

/** Yields `logs/requests/`: one flat folder with many small objects, one for each minute of several weeks. */
export function* requestLogs(count: number, nowMs: number): Generator<readonly [string, NewObject]> {
  const random = seededRandom('request logs');
  const end = nowMs - (nowMs % dayMs) - 2 * dayMs;
  for (let index = 0; index < count; index++) {
    const ms = end - (count - index) * minuteMs;
    const time = new Date(ms).toISOString();
    let text = '';
    const lines = 1 + Math.floor(random() * 3);
    for (let line = 0; line < lines; line++) {
      const status = random() < 0.96 ? 200 : 503;
      text += `${time} ${pick(random, hosts)} GET ${pick(random, paths)} ${status} ${Math.floor(random() * 900)}ms\n`;
    }
    const key = `logs/requests/${time.slice(0, 10)}T${time.slice(11, 13)}-${time.slice(14, 16)}.log`;
    yield [key, smallObject(Buffer.from(text), { modifiedMs: ms + minuteMs, contentType: 'text/plain' })];
  }
}

/** Yields `logs/hosts/`: a tree by host, month and day. */
export function* hostLogs(nowMs: number): Generator<readonly [string, NewObject]> {
  const random = seededRandom('host logs');
  for (const host of hosts) {
    for (let day = 91; day > 1; day--) {
      const ms = nowMs - (nowMs % dayMs) - day * dayMs;
      const date = new Date(ms).toISOString().slice(0, 10);
      const text = `${date} ${host} started\n${date} ${host} load ${(random() * 3).toFixed(2)}\n`;
      const facts = {
        modifiedMs: ms + dayMs - minuteMs,
        contentType: 'text/plain',
        storageClass: day > 60 ? 'COLD' : 'STANDARD',
      };
      yield [`logs/hosts/${host}/${date.slice(0, 7)}/${date}.log`, smallObject(Buffer.from(text), facts)];
    }
  }
}
