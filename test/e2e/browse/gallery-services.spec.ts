import { expect, type Page } from '@playwright/test';
import { sampleDocuments } from '../../../electron/service/samples/documents.ts';
import { lastSegment } from '../../../shared/keys/paths.ts';
import { cephClient } from '../../support/servers/ceph-rig.ts';
import type { RealServer } from '../../support/servers/real-server.ts';
import { expectThumbnails, showGallery } from '../support/gallery.ts';
import { realServers } from '../support/real-servers.ts';
import { connect } from '../support/uploads.ts';
import { grid, test, typeAddress } from '../support/window.ts';

const names = ['light.jpg', 'light.webp', 'light.avif', 'chart.tiff'];

/** Opens a gallery of the sample images, stored on a server of another vendor. */
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

for (const { name, isInstalled, start, provider } of realServers)
  test(`a gallery on ${name} shows its thumbnails (if installed)`, async ({ win }) => {
    test.skip(!isInstalled(), `${name} is not installed`);
    test.setTimeout(180_000);
    const server = await start();
    try {
      await galleryOf(win, server, `Gallery ${name}`, provider);
    } finally {
      server.stop();
    }
  });
