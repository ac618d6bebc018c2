import { expect, test } from 'vitest';
import { createBucketSettings } from '../../../../electron/core/buckets/bucket-settings.ts';
import type { S3Client } from '../../../../electron/core/s3/model/s3-client.ts';
import { fakePorts } from '../../../support/core/fake-ports.ts';

const place = { connectionId: 'c', bucket: 'b', section: 'lifecycle' } as const;
const rule = (id: string, filter: string) =>
  `<Rule><ID>${id}</ID><Filter>${filter}</Filter><Status>Enabled</Status><Expiration><Days>3</Days></Expiration></Rule>`;
const tags = ['a', 'b'].map((key) => `<Tag><Key>${key}</Key><Value>1</Value></Tag>`).join('');
const cephRule = rule('kept', `<Prefix>x/</Prefix><And>${tags}</And>`);
const document = (...rules: readonly string[]) =>
  `<LifecycleConfiguration>${rules.join('')}</LifecycleConfiguration>`;

/** Returns a fake service that changes each document by `store` before it stores it. */
function serviceOf(first: string, store: (text: string) => string, oldResponses = 0) {
  const state = { text: first, old: first, oldAnswers: 0, sent: [] as (string | null | undefined)[] };
  const s3: Partial<S3Client> = {
    getBucketDocument: () => {
      const isOld = state.oldAnswers > 0;
      if (isOld) state.oldAnswers -= 1;
      return Promise.resolve({
        text: isOld ? state.old : state.text,
        transitionMinimum: 'varies_by_storage_class',
      });
    },
    putBucketDocument: ({ text, transitionMinimum }) => {
      state.old = state.text;
      state.text = store(text);
      state.oldAnswers = oldResponses;
      state.sent.push(transitionMinimum);
      return Promise.resolve();
    },
  };
  const slept: number[] = [];
  const { clock } = fakePorts();
  const settings = createBucketSettings({
    client: () => Promise.resolve(s3 as S3Client),
    clock: {
      ...clock,
      sleep: (delayMs) => {
        slept.push(delayMs);
        return Promise.resolve();
      },
    },
  });
  return { settings, state, slept };
}

/** Removes the prefix next to And in a filter, as Ceph RGW does. */
const dropsOuterPrefix = (text: string) =>
  text.replaceAll(/<Filter>\s*<Prefix>[^<]*<\/Prefix>\s*<And>/g, '<Filter><And>');

async function addRule(settings: ReturnType<typeof serviceOf>['settings']) {
  const before = await settings.read(place);
  const text = before.text.replace(
    '</LifecycleConfiguration>',
    `${rule('new', '')}</LifecycleConfiguration>`,
  );
  return await settings.save({ ...place, text, expected: before.fingerprint });
}

test('adding a lifecycle rule keeps the prefix of another rule that the service returns in another form', async () => {
  const { settings, state } = serviceOf(document(cephRule), dropsOuterPrefix);
  const outcome = await addRule(settings);
  expect(outcome).toMatchObject({ kind: 'saved', differences: [] });
  expect(state.text.replaceAll(/\s/g, '')).toContain('<And><Prefix>x/</Prefix>');
});

test('saving a typed document keeps the prefix of a filter in the form that the service drops', async () => {
  const { settings, state } = serviceOf(document(rule('old', '')), dropsOuterPrefix);
  const { fingerprint } = await settings.read(place);
  const outcome = await settings.save({ ...place, text: document(cephRule), expected: fingerprint });
  expect(outcome.kind).toBe('saved');
  expect(state.text).toContain('x/');
});

test('a save names each rule that the service dropped or changed, with both versions', async () => {
  const dropped = serviceOf(document(rule('kept', '<Prefix>x/</Prefix>')), (text) =>
    text.replace(/<Rule><ID>new<.*?<\/Rule>/s, ''),
  );
  expect(await addRule(dropped.settings)).toMatchObject({
    kind: 'differs',
    differences: [{ kind: 'missing', name: 'new', touched: true }],
  });
  const widened = serviceOf(document(rule('kept', '<Prefix>x/</Prefix>')), (text) =>
    text.replace(/<Prefix>x\/<\/Prefix>/, ''),
  );
  const outcome = await addRule(widened.settings);
  expect(outcome).toMatchObject({
    kind: 'differs',
    differences: [{ kind: 'changed', name: 'kept', touched: false }],
  });
  expect(outcome.differences[0]?.wanted).toContain('x/');
  expect(outcome.differences[0]?.found).not.toContain('x/');
});

test('a save re-reads a service that is still returning the old document, and reports a change that never appears', async () => {
  const late = serviceOf(document(rule('kept', '')), (text) => text, 2);
  expect(await addRule(late.settings)).toMatchObject({ kind: 'saved' });
  expect(late.slept).toEqual([500, 1000]);
  const deaf = serviceOf(document(rule('kept', '')), () => document(rule('kept', '')));
  expect(await addRule(deaf.settings)).toMatchObject({ kind: 'differs', differences: [{ name: 'new' }] });
});

test("adding a lifecycle rule sends back the transition's minimum object size unchanged", async () => {
  const { settings, state } = serviceOf(document(rule('kept', '')), (text) => text);
  await addRule(settings);
  expect(state.sent).toEqual(['varies_by_storage_class']);
});

test('a change that cannot be read back is not reported as saved', async () => {
  const { settings, state } = serviceOf(document(rule('kept', '')), () => '<Oops/>');
  const outcome = await addRule(settings);
  expect(outcome).toMatchObject({ kind: 'unread', document: { state: 'failed' } });
  expect(state.sent).toHaveLength(1);
});
