import { notifications } from '@mantine/notifications';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { errorWords } from '../../ui/error-words.ts';
import { rpc } from '../../rpc/client.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import type { FolderPlace } from './place.ts';

export type CopyKind = 'key' | 's3Uri' | 'httpsUrl';

/** Puts keys, or the addresses the core makes of them, on the clipboard: always the real ones, never stand-ins. */
export function useCopyKeys(place: FolderPlace): (kind: CopyKind, keys: readonly string[]) => void {
  const { t } = useTranslation();
  const { connectionId, bucket } = place;
  return useCallback(
    (kind, keys) => {
      const textOf = async (key: string): Promise<string> =>
        kind === 'key' ? key : (await rpc.objects.addresses({ connectionId, bucket, key }))[kind];
      const copy = async (): Promise<void> => {
        const lines = await Promise.all(keys.map(textOf));
        await navigator.clipboard.writeText(lines.join('\n'));
      };
      copy().then(
        () => notifications.show({ message: t('objects.menu.copied'), autoClose: 1500 }),
        (thrown: unknown) => {
          const refused = thrown instanceof DOMException;
          const message = refused ? t('common.copyFailed') : t(`${errorWords(appErrorOf(thrown))}.title`);
          notifications.show({ color: 'red', message });
        },
      );
    },
    [connectionId, bucket, t],
  );
}
