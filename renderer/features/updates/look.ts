import { rpc } from '../../rpc/client.ts';

/** Asks the feed, where this copy of the program has one and nothing is under way. */
export async function lookForUpdates(): Promise<void> {
  const { kind } = await rpc.updates.status();
  if (kind === 'idle' || kind === 'failed') await rpc.updates.check();
}
