import { expect } from '@playwright/test';
import { sampleDocuments } from '../../../electron/service/samples/documents.ts';
import { drawLandscape, moods } from '../../../electron/service/samples/landscape.ts';
import { lastSegment } from '../../../shared/keys/paths.ts';
import { en } from '../../../shared/messages/en/index.ts';
import { cephClient } from '../../support/servers/ceph-rig.ts';
import { isCephInstalled, startCeph } from '../../support/servers/ceph.ts';
import { startFaultProxy } from '../../support/servers/fault-proxy.ts';
import { connect } from '../support/uploads.ts';
import { test, typeAddress } from '../support/window.ts';
import { countReads, open } from './viewing.ts';

const bucket = 'kinds';
const latencyMs = 25;

/** The viewer that opens each sample. */
const viewerOf = new Map([
  ['tides.json', 'json'],
  ['passages.jsonl', 'json-lines'],
  ['harbour.yaml', 'yaml'],
  ['lights.xml', 'xml'],
  ['soundings.csv', 'csv'],
  ['soundings.tsv', 'csv'],
  ['survey.md', 'markdown'],
  ['bank.svg', 'image'],
  ['cover.png', 'image'],
  ['light.jpg', 'image'],
  ['light.webp', 'image'],
  ['light.avif', 'image'],
  ['light.heic', 'image'],
  ['chart.tiff', 'image'],
  ['stations.arrow', 'arrow'],
  ['waves.parquet', 'parquet'],
  ['buoy.webm', 'media'],
  ['harbour-bell.wav', 'media'],
  ['survey.zip', 'zip'],
  ['survey.tar', 'tar'],
  ['survey.tar.gz', 'packed'],
  ['soundings.csv.zst', 'packed'],
  ['passages.jsonl.br', 'packed'],
  ['invitation.pdf', 'pdf'],
  ['pilot-book.pdf', 'pdf'],
]);

test('each kind of sample opens from Ceph at 25 ms latency in few requests, and a text is edited (if installed)', async ({
  win,
}) => {
  test.skip(!isCephInstalled(), 'ceph-mon is not installed');
  test.setTimeout(240_000);
  const ceph = await startCeph();
  const far = await startFaultProxy(ceph.endpoint);
  try {
    const s3 = cephClient(ceph);
    await s3.createBucket({ bucket });
    const cover = await drawLandscape('cover', moods.autumn);
    const samples = [
      ...sampleDocuments().filter(({ key }) => key.startsWith('formats/') || key.endsWith('.pdf')),
      { key: 'cover.png', contentType: 'image/png', text: cover },
    ];
    // Each new sample needs an entry in the map above.
    expect(samples.map(({ key }) => lastSegment(key)).toSorted()).toEqual([...viewerOf.keys()].toSorted());
    for (const { key, contentType, text } of samples) {
      const bytes = Buffer.from(text as string);
      await s3.putObject({
        bucket,
        key: lastSegment(key),
        contentType,
        body: { sizeBytes: bytes.length, open: () => bytes },
      });
    }
    far.habits.add({ times: Infinity, action: { kind: 'delay', ms: latencyMs, isApplied: false } });
    await connect(win, 'Far Ceph', far, ceph, 'Ceph');
    await typeAddress(win, `${bucket}/`);
    for (const [name, viewer] of viewerOf) {
      const asked = countReads(win);
      const dialog = await open(win, name);
      await expect(dialog.locator(`[data-viewer="${viewer}"]`), name).toBeVisible();
      await expect(dialog.getByText(en.viewers.loading), name).toHaveCount(0);
      await expect(dialog.getByRole('alert'), name).toHaveCount(0);
      expect(asked.requests, name).toBeLessThan(10);
      await win.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
    }

    const dialog = await open(win, 'survey.md');
    await dialog.getByRole('button', { name: en.viewers.edit.begin, exact: true }).click();
    await expect(dialog.getByRole('textbox', { name: 'Content of survey.md' })).toBeFocused();
    await win.keyboard.type('Edited. ');
    await win.keyboard.press('ControlOrMeta+s');
    await expect(dialog.getByText(en.viewers.edit.saved)).toBeVisible();
    const first = await s3.getObject({ bucket, key: 'survey.md' });
    expect(Buffer.concat((await first.body.toArray()) as Buffer[]).toString()).toMatch(/^Edited\. /);
    expect(first.contentType).toBe('text/markdown; charset=utf-8');

    // Another program overwrites the object between two saves.
    const others = Buffer.from('of another');
    await s3.putObject({ bucket, key: 'survey.md', body: { sizeBytes: others.length, open: () => others } });
    await win.keyboard.type('Again. ');
    await win.keyboard.press('ControlOrMeta+s');
    await expect(dialog.getByText(en.errors.reasons['edit-changed'].title)).toBeVisible();
    const second = await s3.getObject({ bucket, key: 'survey.md' });
    expect(Buffer.concat((await second.body.toArray()) as Buffer[]).toString()).toBe('of another');
    await win.keyboard.press('Escape');
    await win.getByRole('button', { name: en.common.discard.confirm }).click();
    await win.getByRole('button', { name: en.edits.discard }).click();
    await expect(win.getByText(en.errors.reasons['edit-changed'].title)).toHaveCount(0);
  } finally {
    await far.close();
    ceph.stop();
  }
});
