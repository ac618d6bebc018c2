import { notifications } from '@mantine/notifications';
import type { TFunction } from 'i18next';
import { rpc } from '../../../rpc/client.ts';
import { saveText } from '../../../ui/clipboard/save-text.ts';
import { sayingFailure } from '../../../rpc/say-failure.ts';

/** Hands all connections, without their secrets, to the browser or the desktop to be saved as a file. */
export function exportConnections(t: TFunction): void {
  sayingFailure(t, async () => {
    const { fileName, text, count } = await rpc.connections.exportFile();
    if (count === 0) {
      notifications.show({ message: t('connections.file.nothing') });
      return;
    }
    saveText(fileName, text, 'application/json');
    notifications.show({
      title: t('connections.file.exported', { count }),
      message: t('connections.file.exportedBody'),
    });
  });
}
