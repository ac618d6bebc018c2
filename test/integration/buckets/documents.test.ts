import { expect, onTestFinished, test } from 'vitest';
import { startText } from '../../../renderer/features/buckets/sections/start-text.ts';
import { sectionFacts, type BucketSection } from '../../../shared/models/bucket-settings.ts';
import { coreUnderTest, inputFor } from '../../support/core/core-under-test.ts';
import { startDocumentsService, type DocumentsService } from '../../support/servers/documents-service.ts';

const bucket = 'photos';

async function rig() {
  const service: DocumentsService = await startDocumentsService(bucket);
  onTestFinished(async () => {
    await service.close();
  });
  const { client } = coreUnderTest();
  const { id: connectionId } = await client.connections.create(inputFor(service.endpoint));
  const at = (section: BucketSection) => ({ connectionId, bucket, section });
  return { service, settings: client.bucketSettings, at };
}

test.each([
  ['website', 'website', 'absent'],
  ['logging', 'logging', 'present'],
  ['replication', 'replication', 'absent'],
  ['notifications', 'notification', 'present'],
  ['intelligent-tiering', 'intelligent-tiering', 'absent'],
] as const)(
  '%s is written from its example, read back the same, and removed',
  async (section, query, state) => {
    const { service, settings, at } = await rig();
    const before = await settings.read(at(section));
    expect(before).toMatchObject({ state, error: null });
    const text = startText(section, bucket);
    const saved = await settings.save({ ...at(section), text, expected: before.fingerprint });
    expect(saved).toMatchObject({ kind: 'saved', differences: [], document: { state: 'present' } });
    expect(service.written).toEqual([`PUT ${query}`]);
    if (!sectionFacts[section].removable) return;
    const cleared = await settings.clear({ ...at(section), expected: saved.document.fingerprint });
    expect(cleared).toMatchObject({ kind: 'saved', document: { state: 'absent' } });
    expect(service.written).toEqual([`PUT ${query}`, `DELETE ${query}`]);
    // A service that ignores the query would delete the bucket, so nothing is sent if there is nothing to remove.
    const again = await settings.clear({ ...at(section), expected: cleared.document.fingerprint });
    expect(again).toMatchObject({ kind: 'saved', document: { state: 'absent' } });
    expect(service.written).toEqual([`PUT ${query}`, `DELETE ${query}`]);
  },
);

test('a service that ignores the query counts as having no such configuration, and nothing is written', async () => {
  const { service, settings, at } = await rig();
  service.ignored.add('website');
  expect(await settings.read(at('website'))).toMatchObject({ state: 'unsupported' });
  await expect(
    settings.save({ ...at('website'), text: startText('website', bucket), expected: null }),
  ).rejects.toMatchObject({ data: { code: 'unsupported' } });
  expect(service.written).toEqual([]);
});

const tiering = (id: string) =>
  `<IntelligentTieringConfiguration>${id}<Status>Enabled</Status><Tiering><AccessTier>ARCHIVE_ACCESS</AccessTier><Days>90</Days></Tiering></IntelligentTieringConfiguration>`;
const tierings = (...all: readonly string[]) =>
  `<ListBucketIntelligentTieringConfigurationsOutput>${all.join('')}</ListBucketIntelligentTieringConfigurationsOutput>`;

test('two tierings are two requests, and a tiering without an id is refused before any', async () => {
  const { service, settings, at } = await rig();
  const save = async (text: string) =>
    await settings.save({ ...at('intelligent-tiering'), text, expected: null });
  await expect(save(tierings(tiering('')))).rejects.toMatchObject({ data: { code: 'invalid-argument' } });
  expect(service.written).toEqual([]);
  expect(await save(tierings(tiering('<Id>a</Id>'), tiering('<Id>b</Id>')))).toMatchObject({ kind: 'saved' });
  expect([...service.documents.keys()].toSorted()).toEqual([
    'intelligent-tiering:a',
    'intelligent-tiering:b',
  ]);
});
