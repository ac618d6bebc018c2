/** Fetches two objects of the samples to be dragged out, drags them, and clears their transfer. */
import { existsSync } from 'node:fs';
import * as standIn from './electron.ts';
import { coreOfWindow, finish, startMain, until } from './core-of-window.ts';

const dist = new URL(process.env['COOPER_TEST_DIST'] ?? '../../../dist/desktop/', import.meta.url);
const window = await startMain(dist);
if (window === null) finish({});
else await play(window);

async function play(first: standIn.BrowserWindow): Promise<void> {
  const core = coreOfWindow(first);
  const [samples] = await core.connections.list();
  const { jobId } = await core.transfers.fetchForDrag({
    connectionId: samples?.id ?? '',
    bucket: 'documents',
    basePrefix: 'formats/pictures/',
    keys: ['formats/pictures/light.jpg', 'formats/pictures/chart.tiff'],
  });
  await until(
    async () => (await core.jobs.get({ jobId })).state,
    (state) => state === 'done',
  );
  await core.transfers.dragOut({ jobId });
  const dragged = standIn.record.flatMap(({ call, args }) =>
    call === 'webContents.startDrag' ? [(args[0] as { files: readonly string[] }).files] : [],
  );
  await core.jobs.clear({ jobIds: [jobId] });
  await until(
    () => dragged.flat().some((file) => existsSync(file)),
    (isThere) => !isThere,
  );
  finish({ dragged });
}
