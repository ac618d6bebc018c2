import type { Store } from '../store/object-store.ts';
import { document } from '../xml.ts';

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
  const hasBegun = store.meta(begunKey) !== null;
  const before = store.bucket(bucketName);
  if (before !== null && !hasBegun) return;
  store.setMeta(begunKey, Buffer.of(1));
  const bucket = before ?? store.createBucket(bucketName, nowMs - 310 * dayMs);
  if (bucket === null) throw new Error(`The bucket ${bucketName} cannot be created.`);
  forgetHalfMade(store, bucket.id);
  store.setVersioning(bucket.id, 'Enabled');
  store.setLifecycle(bucket.id, document('LifecycleConfiguration', rules));
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
