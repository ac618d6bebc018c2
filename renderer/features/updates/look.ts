import { rpc } from '../../rpc/client.ts';

/** Checks the feed for updates, unless this copy has no feed, or a check or download is running. */
export async function lookForUpdates(): Promise<void> {
  const { kind } = await rpc.updates.status();
  if (kind === 'idle' || kind === 'failed') await rpc.updates.check();
}
