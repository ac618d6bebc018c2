import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CoreClient } from '../../../shared/contract/index.ts';
import type { BucketForm } from '../../../shared/models/bucket-forms.ts';
import {
  bucketSections,
  type BucketSection,
  type SettingsDocument,
  type SettingsOutcome,
} from '../../../shared/models/bucket-settings.ts';
import { createRouterClient } from '@orpc/server';
import { createCore, type Core } from '../../../electron/core/core.ts';
import { nodeClock } from '../../../electron/host/node-ports.ts';
import { isCephInstalled, startCeph, type Ceph } from '../../support/servers/ceph.ts';
import { inputFor } from '../../support/core/core-under-test.ts';
import { fakePorts } from '../../support/core/fake-ports.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Tests bucket settings against an independent implementation of S3, since the embedded service shares Cooper's assumptions. */
describe.skipIf(!isCephInstalled())('bucket settings on Ceph RGW (if installed)', () => {
  let ceph: Ceph;
  let core: Core;
  let client: CoreClient;
  let connectionId: string;
  let dataDir: string;
  const bucket = 'settings-home';

  beforeAll(async () => {
    ceph = await startCeph();
    dataDir = mkdtempSync(path.join(os.tmpdir(), 'cooper-buckets-'));
    const ports = fakePorts({ clock: { ...nodeClock, advance: () => Promise.resolve(), sleepers: 0 } });
    core = createCore({ ports, dataDir, version: '1.0.0', host: 'browser', samples: null });
    client = createRouterClient(core.router, { context: {} });
    const { accessKeyId, secretAccessKey } = ceph;
    const auth = { kind: 'keys', accessKeyId, secretAccessKey, sessionToken: null } as const;
    const made = await client.connections.create(inputFor(ceph.endpoint, { provider: 'ceph', auth }));
    connectionId = made.id;
    await create(bucket);
  }, 180_000);
  afterAll(async () => {
    await core.close();
    ceph.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const create = async (name: string, objectLock = false) => {
    await client.bucketSettings.create({ connectionId, bucket: { name, region: null, objectLock } });
  };
  const read = async (section: BucketSection, of = bucket): Promise<SettingsDocument> =>
    await client.bucketSettings.read({ connectionId, bucket: of, section });
  const saveText = async (section: BucketSection, text: string, expected: string | null) =>
    await client.bucketSettings.save({ connectionId, bucket, section, text, expected });
  const saveForm = async (form: BucketForm): Promise<SettingsOutcome> => {
    const { fingerprint } = await read(form.section);
    const { text } = await client.bucketSettings.compose({ form });
    return await saveText(form.section, text, fingerprint);
  };

  test('of a new bucket are absent or unsupported', async () => {
    const states: Record<string, string> = {};
    for (const section of [
      'versioning',
      'lifecycle',
      'cors',
      'policy',
      'tags',
      'public-access',
      'access',
      'payment',
      'object-lock',
    ] as const) {
      states[section] = (await read(section)).state;
    }
    expect(states).toEqual({
      versioning: 'present',
      lifecycle: 'absent',
      cors: 'absent',
      policy: 'absent',
      tags: 'absent',
      'public-access': 'present',
      access: 'present',
      payment: 'present',
      'object-lock': 'absent',
    });
    // Older releases of Ceph ignore these queries and return an object listing; newer ones support them.
    for (const section of ['encryption', 'ownership'] as const)
      expect(['unsupported', 'absent', 'present']).toContain((await read(section)).state);
  });

  test('that the service does not support are never written, since that would create a bucket', async () => {
    const { state } = await read('encryption');
    if (state !== 'unsupported') return;
    const form = { section: 'encryption', algorithm: 'AES256', kmsKeyId: null, bucketKey: false } as const;
    const { text } = await client.bucketSettings.compose({ form });
    await expect(saveText('encryption', text, null)).rejects.toMatchObject({ data: { code: 'unsupported' } });
  });

  test('never delete the bucket when they are cleared, whatever the service does with the request', async () => {
    const empty = 'settings-kept';
    await create(empty);
    for (const section of bucketSections) {
      const { fingerprint } = await read(section, empty);
      // Refused for sections that the service lacks, that cannot be removed, or that Cooper only shows.
      await Promise.allSettled([
        client.bucketSettings.clear({ connectionId, bucket: empty, section, expected: fingerprint }),
      ]);
      expect((await read('versioning', empty)).state).toBe('present');
    }
    for (const section of ['payment', 'logging', 'versioning'] as const) {
      const { fingerprint } = await read(section, empty);
      await expect(
        client.bucketSettings.clear({ connectionId, bucket: empty, section, expected: fingerprint }),
      ).rejects.toMatchObject({ data: { code: 'unsupported' } });
    }
  });

  test('set versioning to off, enabled and suspended', async () => {
    expect((await read('versioning')).form).toMatchObject({ status: 'off' });
    for (const status of ['enabled', 'suspended'] as const) {
      const saved = await saveForm({ section: 'versioning', status, mfaDelete: false });
      expect(saved).toMatchObject({ kind: 'saved', document: { form: { status } } });
    }
  });

  test('store a lifecycle rule from the form and remove it when cleared', async () => {
    const rule = {
      id: 'tidy-up',
      enabled: true,
      prefix: 'logs/ü & co/',
      expireDays: 30,
      expireDeleteMarkers: false,
      noncurrentDays: 7,
      abortDays: 3,
      transitions: [],
      source: null,
      foreign: false,
    };
    const saved = await saveForm({ section: 'lifecycle', rules: [rule] });
    expect(saved.kind).toBe('saved');
    expect(saved.document.form).toMatchObject({
      rules: [{ ...rule, source: expect.stringContaining('tidy-up') as string }],
    });
    const expected = saved.document.fingerprint;
    const cleared = await client.bucketSettings.clear({
      connectionId,
      bucket,
      section: 'lifecycle',
      expected,
    });
    expect(cleared).toMatchObject({ kind: 'saved', document: { state: 'absent', fingerprint: null } });
  });

  test("keep a lifecycle rule's prefix and two tags when another rule is added, and when restored", async () => {
    const home = 'settings-filters';
    await create(home);
    const filter =
      '<And><Prefix>x/</Prefix><Tag><Key>a</Key><Value>b</Value></Tag><Tag><Key>c</Key><Value>d</Value></Tag></And>';
    const kept = `<Rule><ID>kept</ID><Filter>${filter}</Filter><Status>Enabled</Status><Expiration><Days>3</Days></Expiration></Rule>`;
    const small =
      '<Rule><ID>one-tag</ID><Filter><And><Prefix>y/</Prefix><Tag><Key>a</Key><Value>b</Value></Tag></And></Filter><Status>Enabled</Status><Expiration><Days>5</Days></Expiration></Rule>';
    const place = { connectionId, bucket: home, section: 'lifecycle' } as const;
    const text = `<LifecycleConfiguration>${kept}${small}</LifecycleConfiguration>`;
    const first = await client.bucketSettings.save({ ...place, text, expected: null });
    expect(first).toMatchObject({ kind: 'saved', differences: [] });

    const form = first.document.form;
    if (form?.section !== 'lifecycle') throw new Error('The document has no such form.');
    const added = {
      id: 'tidy-up',
      enabled: true,
      prefix: '',
      expireDays: null,
      expireDeleteMarkers: false,
      noncurrentDays: null,
      abortDays: 7,
      transitions: [],
      source: null,
      foreign: false,
    };
    const composed = await client.bucketSettings.compose({
      form: { ...form, rules: [...form.rules, added] },
    });
    const saved = await client.bucketSettings.save({
      ...place,
      text: composed.text,
      expected: first.document.fingerprint,
    });
    expect(saved).toMatchObject({ kind: 'saved', differences: [] });
    const bare = saved.document.text.replaceAll(/\s/g, '');
    expect(bare).toContain(`<Filter>${filter}</Filter>`);
    expect(bare).toContain('<And><Prefix>y/</Prefix><Tag>');

    const restored = await client.bucketSettings.save({
      ...place,
      text: first.document.text,
      expected: saved.document.fingerprint,
    });
    expect(restored).toMatchObject({ kind: 'saved', document: { text: first.document.text } });
  });

  test('store CORS, tags and payment from the form and read them back', async () => {
    const rule = {
      id: 'web',
      origins: ['https://example.com', 'http://*.example.org'],
      methods: ['GET', 'PUT'],
      headers: ['*'],
      expose: ['ETag'],
      maxAgeSeconds: 600,
      source: null,
      foreign: false,
    };
    const cors = await saveForm({ section: 'cors', rules: [rule] });
    // Ignores the order of origins and methods, which Ceph stores as sets.
    expect(cors.document.form).toMatchObject({ section: 'cors' });
    if (cors.document.form?.section !== 'cors') throw new Error('The document has no such form.');
    const [back] = cors.document.form.rules;
    expect(back?.origins.toSorted()).toEqual(rule.origins.toSorted());
    expect(back?.methods.toSorted()).toEqual(rule.methods);
    expect(back).toMatchObject({ id: 'web', expose: ['ETag'], maxAgeSeconds: 600 });

    const tags = [
      { key: 'team', value: 'photos & films' },
      { key: 'ключ', value: '' },
    ];
    const tagged = await saveForm({ section: 'tags', tags });
    if (tagged.document.form?.section !== 'tags') throw new Error('The document has no such form.');
    expect(tagged.document.form.tags.toSorted((a, b) => (a.key < b.key ? -1 : 1))).toEqual(tags);

    const paid = await saveForm({ section: 'payment', payer: 'Requester' });
    expect(paid.document.form).toEqual({ section: 'payment', payer: 'Requester' });
  });

  test('store each of the four public access switches', async () => {
    const form = {
      section: 'public-access',
      blockPublicAcls: true,
      ignorePublicAcls: false,
      blockPublicPolicy: false,
      restrictPublicBuckets: true,
    } as const;
    const saved = await saveForm(form);
    expect(saved.document.form).toEqual(form);
    const { fingerprint } = saved.document;
    const cleared = await client.bucketSettings.clear({
      connectionId,
      bucket,
      section: 'public-access',
      expected: fingerprint,
    });
    expect(cleared.kind).toBe('saved');
  });

  test('store a public policy, and refuse a mistake before sending', async () => {
    const policy = JSON.stringify(
      {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Principal: '*',
            Action: ['s3:GetObject'],
            Resource: [`arn:aws:s3:::${bucket}/*`],
          },
        ],
      },
      null,
      2,
    );
    expect((await client.bucketSettings.check({ bucket, section: 'policy', text: policy })).problems).toEqual(
      [],
    );
    const saved = await saveText('policy', policy, null);
    expect(saved).toMatchObject({ kind: 'saved', document: { state: 'present', publicness: 'public' } });
    await expect(
      saveText('policy', policy.replace('"Allow"', '"Permit"'), saved.document.fingerprint),
    ).rejects.toMatchObject({ data: { code: 'invalid-argument' } });
    expect((await read('policy')).fingerprint).toBe(saved.document.fingerprint);
  });

  test('are not saved over a concurrent change', async () => {
    const mine = await read('tags');
    await saveForm({ section: 'tags', tags: [{ key: 'by', value: 'somebody else' }] });
    const { text } = await client.bucketSettings.compose({
      form: { section: 'tags', tags: [{ key: 'by', value: 'me' }] },
    });
    const outcome = await saveText('tags', text, mine.fingerprint);
    expect(outcome.kind).toBe('changed');
    expect((await read('tags')).form).toMatchObject({ tags: [{ key: 'by', value: 'somebody else' }] });
  });

  test('refuse a bucket name that this key already owns, although Ceph responds 200', async () => {
    await expect(create(bucket)).rejects.toMatchObject({ data: { reason: 'bucket-yours' } });
  });

  test('create object lock with the bucket, and delete the bucket only if empty', async () => {
    await create('locked-home', true);
    expect((await read('object-lock', 'locked-home')).form).toMatchObject({ enabled: true });
    expect((await read('versioning', 'locked-home')).form).toMatchObject({ status: 'enabled' });
    const place = { connectionId, bucket: 'locked-home' };
    const s3 = await core.connectionClient(connectionId);
    const body = { sizeBytes: 1, open: () => Buffer.from('a') };
    const { versionId } = await s3.putObject({ bucket: 'locked-home', key: 'a', body });
    await s3.deleteObject({ bucket: 'locked-home', key: 'a' });
    expect(await client.bucketSettings.contents(place)).toEqual({
      hasObjects: false,
      olderVersions: 'some',
      uploads: { count: 0, more: false },
    });
    await expect(client.bucketSettings.remove(place)).rejects.toMatchObject({
      data: { reason: 'bucket-not-empty' },
    });
    const page = await s3.listObjectVersions({ bucket: 'locked-home' });
    expect(versionId).not.toBeNull();
    for (const version of page.versions)
      await s3.deleteObject({ bucket: 'locked-home', key: version.key, versionId: version.versionId });
    await client.bucketSettings.remove(place);
    const names = (await s3.listBuckets()).map(({ name }) => name);
    expect(names).not.toContain('locked-home');
  });
});
