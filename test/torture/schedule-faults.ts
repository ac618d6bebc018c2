import type { FaultHandle } from '../support/lab-service/server.ts';
import { KiB } from '../support/core/uploads-rig.ts';
import { hollowCompletion, html, okEmpty, okWithError, refusal } from '../support/servers/fault-responses.ts';
import type { FaultProxy, ProxyFault, ProxyOperation, ProxyRequest } from '../support/servers/fault-proxy.ts';
import type { Chance } from './chance.ts';

/** A fault, and the requests to which it applies. Absent for all requests. */
interface Kind {
  readonly action: (chance: Chance) => ProxyFault;
  readonly operation?: ProxyOperation | readonly ProxyOperation[];
  readonly when?: (request: ProxyRequest) => boolean;
  /** The maximum number of times in one schedule. */
  readonly atMost?: number;
}

const fixed =
  (action: ProxyFault): (() => ProxyFault) =>
  () =>
    action;
const reads: readonly ProxyOperation[] = ['GetObject', 'ListObjectsV2', 'ListParts'];
const uploads: readonly ProxyOperation[] = ['PutObject', 'UploadPart'];
const complete = 'CompleteMultipartUpload';

const faults: readonly Kind[] = [
  { action: fixed({ kind: 'lost', isApplied: false }) },
  { action: fixed({ kind: 'lost', isApplied: true }) },
  { action: (chance) => ({ kind: 'cut', bytes: chance.integer(0, 600) }) },
  { action: (chance) => ({ kind: 'cut', bytes: chance.integer(0, 200), isClean: true }) },
  { action: (chance) => ({ kind: 'cut', bytes: chance.integer(0, 60 * KiB) }), operation: 'GetObject' },
  { action: (chance) => ({ kind: 'cut-request', bytes: chance.integer(0, 60 * KiB) }), operation: uploads },
  { action: fixed(refusal(500, 'InternalError')) },
  { action: fixed(refusal(500, 'InternalError', { isApplied: true })) },
  { action: fixed(refusal(502, 'BadGateway', { isApplied: true })) },
  { action: fixed(refusal(503, 'SlowDown')) },
  { action: fixed(refusal(503, 'ServiceUnavailable', { retryAfterSeconds: 3 })) },
  { action: fixed(refusal(504, 'GatewayTimeout')) },
  { action: fixed(refusal(504, 'GatewayTimeout', { isApplied: true })) },
  { action: fixed(refusal(400, 'ExpiredToken')), atMost: 2 },
  { action: fixed(html(200, false)) },
  { action: fixed(html(503, true)) },
  { action: fixed(okEmpty(true)) },
  { action: fixed(okWithError('InternalError', false)) },
  { action: fixed(okWithError('SlowDown', true)) },
  { action: fixed({ kind: 'delay', ms: 5, isApplied: false }) },
  { action: fixed({ kind: 'delay', ms: 5, isApplied: true }) },
  { action: fixed({ kind: 'hang', isApplied: true }), atMost: 2 },
  { action: fixed({ kind: 'hang', isApplied: false }), atMost: 2 },
  { action: fixed({ kind: 'hang', isApplied: true, whiteSpaceEachMs: 300 }), operation: complete, atMost: 1 },
  { action: fixed({ kind: 'no-length' }), operation: reads },
  { action: fixed({ kind: 'ignore-range' }), operation: 'GetObject' },
  {
    action: (chance) => ({ kind: 'damage', atByte: chance.integer(0, 900) }),
    operation: 'GetObject',
    // Bytes without a reference to compare with, such as the first bytes of a page, are not verified by the program.
    when: ({ headers }) => /^"[0-9a-f]{32}(?:-\d+)?"$/.test(headers.get('if-match') ?? ''),
    atMost: 2,
  },
  { action: fixed(hollowCompletion), operation: complete, atMost: 2 },
  { action: fixed(refusal(404, 'NoSuchUpload')), operation: complete, atMost: 3 },
];

/** Damage to the bodies of requests. Many services do not notice it, and only the digest in the response reveals it. */
const upward: readonly Kind[] = [
  { action: (chance) => ({ kind: 'damage-request', at: chance.integer(0, 999) / 1000 }) },
  { action: (chance) => ({ kind: 'truncate-request', at: chance.integer(0, 999) / 1000 }) },
];

/** The changes that a proxy may make to every response. The first entry changes nothing. */
const habits: readonly (readonly [string, (chance: Chance) => ProxyFault | null])[] = [
  ['plain', () => null],
  ['weak ETags', fixed({ kind: 'weak-etags' })],
  ['conditions refused', fixed({ kind: 'refuse-conditions' })],
  ['no length', fixed({ kind: 'no-length' })],
  ['Content-MD5 dropped', fixed({ kind: 'drop-md5' })],
  ['breaking', (chance) => ({ kind: 'break-each', bytes: chance.integer(300, 900) * KiB })],
];

/** The faults and habits of a schedule's connection to the service. */
export interface ScheduleFaults {
  /** A summary for the report. */
  readonly words: string;
  /** True if neither a fault nor a habit is planned. */
  readonly isFaultless: boolean;
  /** True if bodies of requests may be damaged. An object whose upload did not end may then contain any bytes. */
  readonly damagesUploads: boolean;
  /** Returns the number of faults played since they were planned. */
  readonly played: () => number;
  /** Starts the faults. The habit applies from the start. */
  readonly begin: () => void;
  /** Ends the faults. The habit stays, because a service does not change its ETags during a job. */
  readonly end: () => void;
}

/** Plans the faults of one schedule: dense or thin, of a few kinds, and limited in number, so that the job can end. */
export function planFaults(proxy: FaultProxy, chance: Chance): ScheduleFaults {
  proxy.faults.clear();
  proxy.habits.clear();
  const before = playedIn(proxy);
  const density = chance.oneOf([0, 0.1, 0.3, 0.5, 0.7, 0.9]);
  const kinds = density === 0 ? 0 : chance.integer(1, 5);
  const planned = Array.from({ length: kinds }, () => {
    const { action, operation, when, atMost = 300 } = chance.oneOf(faults);
    return {
      ...(operation === undefined ? {} : { operation }),
      ...(when === undefined ? {} : { when }),
      nth: chance.oneOf([1, 1, chance.integer(1, 40)]),
      times: Math.min(atMost, chance.oneOf([1, 10, 50, 150, 300])),
      chance: chance.oneOf([density, density, 1]),
      action: action(chance),
    };
  });
  if (kinds > 0 && chance.happens(0.4)) {
    const { action } = chance.oneOf(upward);
    // Placed before the others, because the first matching rule is used for a request.
    planned.unshift({
      operation: uploads,
      nth: chance.integer(1, 8),
      times: chance.integer(1, 3),
      chance: 1,
      action: action(chance),
    });
  }
  const rules: FaultHandle[] = [];
  const [name, habit] = chance.happens(0.3) ? chance.oneOf(habits) : ['plain', () => null];
  const always = habit(chance);
  if (always !== null) proxy.habits.add({ times: Infinity, action: always });
  return {
    words: `${name}; ${planned.map(({ action }) => inWords(action)).join(', ')} at ${density}`,
    isFaultless: kinds === 0 && always === null,
    damagesUploads: planned.some(
      ({ action: { kind } }) => kind === 'damage-request' || kind === 'truncate-request',
    ),
    played: () => playedIn(proxy) - before,
    begin: () => {
      proxy.faults.clear();
      for (const rule of planned) rules.push(proxy.faults.add(rule));
    },
    // Keeps the journal, which shows the program's requests.
    end: () => {
      for (const rule of rules) rule.remove();
    },
  };
}

function inWords(action: ProxyFault): string {
  const { kind } = action;
  const label = kind === 'answer' ? `${action.status} ${/<Code>(\w+)/.exec(action.body)?.[1] ?? ''}` : kind;
  return 'isApplied' in action && action.isApplied ? `${label} applied` : label;
}

/** Returns the number of faults played. Habits that only change the form of a response do not count. */
function playedIn({ played }: FaultProxy): number {
  let sum = 0;
  for (const [kind, times] of played) if (kind !== 'weak-etags' && kind !== 'no-length') sum += times;
  return sum;
}
