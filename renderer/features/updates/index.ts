import { rpc } from '../../rpc/client.ts';

export { useUpdateNotice } from './use-update-notice.tsx';

/** The updates' section of the settings dialog. */
export const loadUpdateSettings = async () => (await import('./updates-section.tsx')).UpdatesSection;

/** Checks the feed for updates, unless this copy has no feed, or a check or download is running. */
export async function lookForUpdates(): Promise<void> {
  const { kind } = await rpc.updates.status();
  if (kind === 'idle' || kind === 'failed') await rpc.updates.check();
}
