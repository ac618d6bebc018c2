import { expect, test } from 'vitest';
import { coreUnderTest, inputFor } from '../../support/core/core-under-test.ts';
import { isSwiftInstalled, startSwift } from '../../support/servers/swift.ts';
import { bucketSections } from '../../../shared/models/bucket-settings.ts';

test.skipIf(!isSwiftInstalled())(
  'Swift lacks most bucket settings, and those it has are saved and read back',
  async () => {
    const swift = await startSwift();
    const { client } = coreUnderTest();
    const { accessKeyId, secretAccessKey, region } = swift;
    const auth = { kind: 'keys', accessKeyId, secretAccessKey, sessionToken: null } as const;
    const { id: connectionId } = await client.connections.create(inputFor(swift.endpoint, { region, auth }));
    const bucket = 'settings-of-swift';
    await client.bucketSettings.create({
      connectionId,
      bucket: { name: bucket, region: null, objectLock: false },
    });
    const states: Record<string, string> = {};
    for (const section of bucketSections)
      states[section] = (await client.bucketSettings.read({ connectionId, bucket, section })).state;
    expect(Object.keys(states).filter((section) => states[section] !== 'unsupported')).toEqual([
      'versioning',
      'tags',
      'access',
      // Swift returns an empty document and refuses any other.
      'logging',
    ]);
    const { text } = await client.bucketSettings.compose({
      form: { section: 'versioning', status: 'enabled', mfaDelete: false },
    });
    const place = { connectionId, bucket, section: 'versioning' } as const;
    const { fingerprint } = await client.bucketSettings.read(place);
    const saved = await client.bucketSettings.save({ ...place, text, expected: fingerprint });
    expect(saved).toMatchObject({ kind: 'saved', document: { form: { status: 'enabled' } } });
    // Swift always returns an empty set of tags, and stores none.
    const tags = { connectionId, bucket, section: 'tags' } as const;
    const tagged = await client.bucketSettings.compose({
      form: { section: 'tags', tags: [{ key: 'a', value: 'b' }] },
    });
    const { fingerprint: expected } = await client.bucketSettings.read(tags);
    await expect(client.bucketSettings.save({ ...tags, text: tagged.text, expected })).rejects.toMatchObject({
      data: { reason: 'not-implemented' },
    });
    swift.stop();
  },
  180_000,
);
