import { notifications } from '@mantine/notifications';
import type { TFunction } from 'i18next';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { copyAndSay } from '../../../ui/clipboard/copy-text.ts';
import { rpc } from '../../../rpc/client.ts';
import { sayingFailure } from '../../../rpc/say-failure.ts';
import type { FolderPlace } from '../rows/place.ts';

/** Puts a text on the clipboard and says so; null: there is none that can be meant. */
export function putOnClipboard(t: TFunction, textOf: () => Promise<string | null> | string | null): void {
  sayingFailure(t, async () => {
    const text = await textOf();
    if (text === null) notifications.show({ color: 'red', message: t('objects.copyAs.impossible') });
    else await copyAndSay(t, text, t('objects.menu.copied'));
  });
}

export type CopyKind = 'key' | 's3Uri' | 'httpsUrl';

/** Puts keys, or the addresses the core makes of them, on the clipboard: always the real ones, without marks. */
export function useCopyKeys(place: FolderPlace): (kind: CopyKind, keys: readonly string[]) => void {
  const { t } = useTranslation();
  const { connectionId, bucket } = place;
  return useCallback(
    (kind, keys) => {
      const textOf = async (key: string): Promise<string> =>
        kind === 'key' ? key : (await rpc.objects.addresses({ connectionId, bucket, key }))[kind];
      putOnClipboard(t, async () => (await Promise.all(keys.map(textOf))).join('\n'));
    },
    [connectionId, bucket, t],
  );
}
