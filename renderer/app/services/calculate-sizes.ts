import type { Place } from '../../../shared/models/objects.ts';
import type { MapStatus } from '../../../shared/models/map.ts';
import type { WalkState } from '../../../shared/models/walks.ts';
import { refreshFolderTotals } from '../../features/objects/index.ts';
import { rpc } from '../../rpc/client.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';
import { showNotice, updateNotice, type Toast } from '../../ui/notices/notices.tsx';
import { formatBytes, formatCount } from '../../ui/words/format.ts';

const noticeId = 'folder-sizes';
const stopped: Toast = { message: (say) => say('search.sizes.stopped') };

/** Lists everything below a folder into a catalogue, from which the list shows folder sizes. A notice shows the progress. */
export async function calculateSizes({ connectionId, bucket }: Place, folder: string): Promise<void> {
  const { mapId } = await rpc.map.open({ connectionId, bucket, prefix: folder, refresh: 'always' });
  const stop = (): void => sayingFailure(() => rpc.map.stop({ mapId }));
  let isShown = false;
  let isRunning = false;
  try {
    for await (const status of await rpc.map.watch({ mapId })) {
      const notice = noticeOf(status, stop);
      if (isShown) updateNotice(notice, noticeId);
      else showNotice(notice, noticeId);
      isShown = true;
      isRunning = stateOf(status) === 'running';
      if (!isRunning) break;
    }
  } finally {
    // The core closed the map, or the connection to the core was lost.
    if (isRunning) updateNotice(stopped, noticeId);
  }
  refreshFolderTotals();
}

/**
 * Returns the state of the listing. It counts as running until its catalogue is stored, since the sizes come from the catalogue.
 */
function stateOf({ walk, kept: catalogueState }: MapStatus): WalkState {
  const state = walk?.state ?? 'done';
  return state === 'done' && catalogueState === 'pending' ? 'running' : state;
}

function noticeOf(status: MapStatus, stop: () => void): Toast {
  const { walk, objects, sizeBytes, kept: catalogueState } = status;
  const state = stateOf(status);
  switch (state) {
    case 'running':
      return {
        message: (say) => say('search.sizes.counting', { number: formatCount(walk?.keys ?? 0) }),
        actions: [{ label: (say) => say('common.stop'), onClick: stop }],
        staysMs: null,
      };
    case 'failed':
      return { tone: 'bad', message: (say) => say('search.sizes.failed') };
    case 'stopped':
      return stopped;
    case 'done':
      return catalogueState === 'off' || catalogueState === 'too-large' || catalogueState === 'failed'
        ? { tone: 'warning', message: (say) => say('search.sizes.notKept') }
        : {
            tone: 'good',
            message: (say) => say('search.sizes.known', { count: objects, size: formatBytes(sizeBytes) }),
          };
    default:
      return state satisfies never;
  }
}
