import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { orpc, rpc } from '../../rpc/client.ts';
import { showNotice } from '../../ui/notices/notices.tsx';

/** The updates' section of the settings dialog. */
export const loadUpdateSettings = async () => (await import('./updates-section.tsx')).UpdatesSection;

/** Checks the feed for updates, unless this copy has no feed, or a check or download is running. */
export async function lookForUpdates(): Promise<void> {
  const { kind } = await rpc.updates.status();
  if (kind === 'idle' || kind === 'failed') await rpc.updates.check();
}

const noticeId = 'update';

/** Announces an update once when it is available, and once when it is ready to install. Use it once. */
export function useUpdateNotice(onShow: () => void): void {
  const { data } = useQuery(orpc.updates.status.queryOptions());
  const kind = data?.kind === 'available' || data?.kind === 'ready' ? data.kind : null;
  const version = data !== undefined && 'version' in data ? data.version : null;
  useEffect(() => {
    if (kind === null || version === null) return;
    showNotice(
      {
        staysMs: null,
        title: (say) => say(`updates.notice.${kind}`, { version }),
        actions: [{ label: (say) => say('updates.notice.show'), onClick: onShow }],
      },
      noticeId,
    );
  }, [kind, version, onShow]);
}
