import { expect, type Page } from '@playwright/test';
import { sampleDocuments } from '../../../electron/service/samples/documents.ts';
import { lastSegment } from '../../../shared/keys/paths.ts';
import { cephClient } from '../../support/servers/ceph-rig.ts';
import { isCephInstalled, startCeph } from '../../support/servers/ceph.ts';
import type { RealServer } from '../../support/servers/real-server.ts';
import { isSwiftInstalled, startSwift } from '../../support/servers/swift.ts';
import { expectThumbnails, showGallery } from '../support/gallery.ts';
import { connect } from '../support/uploads.ts';
import { grid, test, typeAddress } from '../support/window.ts';

const names = ['light.jpg', 'light.webp', 'light.avif', 'chart.tiff'];

/** The images of the samples, on a server that is not ours. */
async function galleryOf(page: Page, server: RealServer, name: string, provider: string): Promise<void> {
  const s3 = cephClient(server);
  await s3.createBucket({ bucket: 'pictures' });
  for (const { key, contentType, text } of sampleDocuments()) {
    if (!names.includes(lastSegment(key))) continue;
    const bytes = Buffer.from(text as string);
    await s3.putObject({
      bucket: 'pictures',
      key: lastSegment(key),
      contentType,
      body: { sizeBytes: bytes.length, open: () => bytes },
    });
  }
  await connect(page, name, server, server, provider);
  await typeAddress(page, 'pictures/');
  await expect(grid(page)).toBeVisible();
  await showGallery(page);
  await expectThumbnails(page, names);
  await page.reload();
  await expectThumbnails(page, names);
}

test('a gallery of Ceph RGW has its thumbnails (where it is installed)', async ({ win }) => {
  test.skip(!isCephInstalled(), 'ceph-mon is not installed');
  test.setTimeout(180_000);
  const ceph = await startCeph();
  try {
    await galleryOf(win, ceph, 'Gallery Ceph', 'Ceph');
  } finally {
    ceph.stop();
  }
});

test('a gallery of OpenStack Swift has its thumbnails (where it is installed)', async ({ win }) => {
  test.skip(!isSwiftInstalled(), 'Swift is not installed');
  test.setTimeout(180_000);
  const swift = await startSwift();
  try {
    await galleryOf(win, swift, 'Gallery Swift', 'MinIO');
  } finally {
    swift.stop();
  }
});
