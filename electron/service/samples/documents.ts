import { sampleFormats } from './formats.ts';
import { seededRandom, pick } from './random.ts';
import { type SampleDocument, pdfOf } from './sample-files.ts';
import type { Store } from '../store/object-store.ts';
import { document } from '../xml.ts';
import { smallObject } from '../store/blobs.ts';
import type { NewObject } from '../store/model.ts';

const months = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september'];

/** Returns the objects of the bucket `documents`. */
export function sampleDocuments(): SampleDocument[] {
  return [
    { key: 'Read me first.md', contentType: 'text/markdown; charset=utf-8', text: welcome },
    { key: 'notes/harbour walk.txt', contentType: 'text/plain; charset=utf-8', text: walk },
    {
      key: 'notes/shopping list.txt',
      contentType: 'text/plain; charset=utf-8',
      text: 'rope\nlamp oil\ntwo oars\ntea\n',
    },
    {
      key: 'letters/2026/invitation.pdf',
      contentType: 'application/pdf',
      text: pdfOf([
        {
          title: 'An invitation',
          lines: [
            'The cooperage opens its doors on the first Saturday of June.',
            'You will see how a barrel is raised, bent over fire and hooped,',
            'and you can carry one home if you are strong enough.',
          ],
        },
      ]),
      metadata: { author: 'the-cooperage' },
    },
    { key: 'settings/service.json', contentType: 'application/json', text: settings },
    { key: 'settings/empty.txt', contentType: 'text/plain', text: '' },
    ...months.map((month, index) => ({
      key: `accounts/2026/${String(index + 1).padStart(2, '0')}-${month}.csv`,
      contentType: 'text/csv; charset=utf-8',
      text: account(month),
      ...(index < 3 ? { storageClass: 'COLD' } : {}),
    })),
    ...sampleFormats(),
  ];
}

function account(month: string): string {
  const random = seededRandom(`account ${month}`);
  const items = [
    'oak staves',
    'iron hoops',
    'firewood',
    'reed',
    'wages',
    'sold: barrel, 50 l',
    'sold: barrel, 225 l',
  ] as const;
  let csv = 'day,item,amount\n';
  for (let day = 1; day <= 28; day++) {
    const item = pick(random, items);
    const sign = item.startsWith('sold') ? '' : '-';
    csv += `${day},"${item}",${sign}${(20 + random() * 400).toFixed(2)}\n`;
  }
  return csv;
}

const welcome = `# Sample buckets

These buckets live in a folder on this computer, served by Cooper itself. You can change or delete everything here.

- **photos**: pictures, in folders by year, and some gigabytes of raw files and video to look at in the map.
- **documents**: text, tables, JSON and a PDF to look at.
- **server-data**: \`logs/requests/\` holds 30,000 small objects. Scroll to its end.
- **names**: keys in many scripts, and some that no file system would take.
- **drafts**: versions of texts, a deleted one among them. Show *Versions*, and bring one back. Its settings have rules that tidy up.
- **backups**: three uploads that stalled. Look under *Stalled uploads* and finish them.
`;

const walk = `Low water at ten past six. The mud shone like a plate.
Three herons on the old slip, none of them bothered.
The tide turned before the second bell, and all the boats turned with it.
`;

const settings = `${JSON.stringify(
  {
    name: 'harbour-lights',
    listen: { host: '127.0.0.1', port: 8080 },
    lights: [
      { id: 'north-mole', colour: 'green', periodSeconds: 4 },
      { id: 'south-mole', colour: 'red', periodSeconds: 4 },
      { id: 'outer-bank', colour: 'white', periodSeconds: 10 },
    ],
    keepLogsForDays: 90,
  },
  null,
  2,
)}\n`;

const dayMs = 86_400_000;
const bucketName = 'drafts';
const begunKey = 'samples-drafts';

interface Draft {
  readonly key: string;
  /** The states of the draft, oldest first. */
  readonly states: readonly { readonly daysAgo: number; readonly text: string }[];
  /** The age in days of its deletion; absent if it was never deleted. */
  readonly deletedDaysAgo?: number;
}

const tide = ['The tide comes in,', 'the boats all turn,', 'and one lamp swings', 'above the stern.'];

const drafts: readonly Draft[] = [
  {
    key: 'poems/tide.txt',
    states: [
      { daysAgo: 64, text: `${tide.slice(0, 1).join('\n')}\n` },
      { daysAgo: 63, text: `${tide.slice(0, 2).join('\n')}\n` },
      { daysAgo: 41, text: `${tide.join('\n')}\n` },
      { daysAgo: 8, text: `Tide\n\n${tide.join('\n')}\n` },
    ],
  },
  {
    key: 'price list.csv',
    states: [
      { daysAgo: 300, text: 'item,price\nbarrel 50 l,180\nbarrel 225 l,640\n' },
      { daysAgo: 120, text: 'item,price\nbarrel 50 l,195\nbarrel 225 l,680\nbucket,45\n' },
      { daysAgo: 17, text: 'item,price\nbarrel 50 l,195\nbarrel 225 l,68\nbucket,45\n' },
    ],
  },
  {
    key: 'letters/to the harbour master.md',
    states: [
      { daysAgo: 30, text: 'Dear Sir,\n\nthe lamp on the north mole is out again.\n' },
      { daysAgo: 29, text: 'Dear Sir,\n\nthe lamp on the north mole is out again. Shall we mend it?\n' },
    ],
    deletedDaysAgo: 12,
  },
  {
    key: 'scratch/can go.txt',
    states: [{ daysAgo: 4, text: 'A rule of this bucket deletes what is below scratch/ after 30 days.\n' }],
  },
];

/** The lifecycle rules in the bucket's settings. None of them expires the samples early. */
const rules =
  '<Rule><ID>scratch goes after a month</ID><Filter><Prefix>scratch/</Prefix></Filter><Status>Enabled</Status>' +
  '<Expiration><Days>30</Days></Expiration></Rule>' +
  '<Rule><ID>uploads that stay unfinished</ID><Filter><Prefix></Prefix></Filter><Status>Enabled</Status>' +
  '<AbortIncompleteMultipartUpload><DaysAfterInitiation>7</DaysAfterInitiation></AbortIncompleteMultipartUpload></Rule>' +
  '<Rule><ID>old versions, off</ID><Filter><Prefix></Prefix></Filter><Status>Disabled</Status>' +
  '<NoncurrentVersionExpiration><NoncurrentDays>400</NoncurrentDays></NoncurrentVersionExpiration></Rule>';

/** Fills a versioned bucket that has lifecycle rules. Does not touch a bucket of this name that the user created. */
export async function draftVersions(store: Store, nowMs: number): Promise<void> {
  const hasBegun = store.buckets.meta(begunKey) !== null;
  const before = store.buckets.get(bucketName);
  if (before !== null && !hasBegun) return;
  store.buckets.setMeta(begunKey, Buffer.of(1));
  const bucket = before ?? store.buckets.create(bucketName, nowMs - 310 * dayMs);
  if (bucket === null) throw new Error(`The bucket ${bucketName} cannot be created.`);
  forgetHalfMade(store, bucket.id);
  store.setVersioning(bucket.id, 'Enabled');
  store.buckets.setLifecycle(bucket.id, document('LifecycleConfiguration', rules));
  for (const { key, states, deletedDaysAgo } of drafts) {
    const contentType = key.endsWith('.csv') ? 'text/csv; charset=utf-8' : 'text/plain; charset=utf-8';
    for (const { daysAgo, text } of states) {
      const modifiedMs = nowMs - daysAgo * dayMs;
      await store.putBytes(bucket.id, key, Buffer.from(text), { modifiedMs, contentType });
    }
    if (deletedDaysAgo !== undefined) {
      store.deleteObject(bucket.id, key, { nowMs: nowMs - deletedDaysAgo * dayMs });
    }
  }
}

/** Deletes the versions of drafts that an interrupted earlier run created. */
function forgetHalfMade(store: Store, bucketId: number): void {
  const all = { prefix: '', delimiter: '', after: null, afterVersion: null, limit: 1000 };
  for (const { key, version } of store.listVersions(bucketId, all).rows) {
    if (drafts.some((draft) => draft.key === key)) store.deleteObject(bucketId, key, { version });
  }
}

const minuteMs = 60_000;
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
