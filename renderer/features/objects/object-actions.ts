import { notifications } from '@mantine/notifications';
import type { TFunction } from 'i18next';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { errorWords } from '../../ui/error-words.ts';
import { rpc } from '../../rpc/client.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import type { FolderPlace } from './place.ts';

/** Puts a text on the clipboard and says so; null: there is none that can be meant. */
export function putOnClipboard(t: TFunction, textOf: () => Promise<string | null> | string | null): void {
  const copy = async (): Promise<boolean> => {
    const text = await textOf();
    if (text !== null) await navigator.clipboard.writeText(text);
    return text !== null;
  };
  copy().then(
    (isCopied) =>
      notifications.show(
        isCopied
          ? { message: t('objects.menu.copied'), autoClose: 1500 }
          : { color: 'red', message: t('objects.copyAs.impossible') },
      ),
    (thrown: unknown) => {
      const refused = thrown instanceof DOMException;
      const message = refused ? t('common.copyFailed') : t(`${errorWords(appErrorOf(thrown))}.title`);
      notifications.show({ color: 'red', message });
    },
  );
}

export type CopyKind = 'key' | 's3Uri' | 'httpsUrl';

/** Puts keys, or the addresses the core makes of them, on the clipboard: always the real ones, never stand-ins. */
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
