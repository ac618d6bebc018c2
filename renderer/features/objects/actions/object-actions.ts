import { clipboardLine } from '../../../ui/clipboard/shell-quote.ts';
import { showNotice } from '../../../ui/notices/notices.tsx';
import { useCallback } from 'react';
import { copyAndSay } from '../../../ui/clipboard/copy-text.ts';
import { rpc } from '../../../rpc/client.ts';
import { sayingFailure } from '../../../rpc/say-failure.ts';
import type { FolderPlace } from '../rows/place.ts';

/** Copies a text and confirms it with a notice. If `textOf` returns null, the notice says that copying is impossible. */
export function putOnClipboard(textOf: () => Promise<string | null> | string | null): void {
  sayingFailure(async () => {
    const text = await textOf();
    if (text === null) showNotice({ tone: 'bad', message: (say) => say('objects.copyAs.impossible') });
    else await copyAndSay(text, (say) => say('objects.menu.copied'));
  });
}

export type CopyKind = 'key' | 's3Uri' | 'httpsUrl';

/**
 * Returns a function that copies keys, or their addresses, one per line. Copies keys unchanged, without the marks that the window
 * shows for invisible characters. Quotes a key for a shell if a terminal might execute it.
 */
export function useCopyKeys(place: FolderPlace): (kind: CopyKind, keys: readonly string[]) => void {
  const { connectionId, bucket } = place;
  return useCallback(
    (kind, keys) => {
      const textOf = async (key: string): Promise<string> =>
        kind === 'key' ? key : (await rpc.objects.addresses({ connectionId, bucket, key }))[kind];
      putOnClipboard(async () => (await Promise.all(keys.map(textOf))).map(clipboardLine).join('\n'));
    },
    [connectionId, bucket],
  );
}
