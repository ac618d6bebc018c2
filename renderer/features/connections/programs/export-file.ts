import { showNotice } from '../../../ui/notices/notices.tsx';
import { rpc } from '../../../rpc/client.ts';
import { saveText } from '../../../rpc/save-file.ts';
import { sayingFailure } from '../../../rpc/say-failure.ts';

/** Saves all connections without their secrets as a file. */
export function exportConnections(): void {
  sayingFailure(async () => {
    const { fileName, text, count } = await rpc.connections.exportFile();
    if (count === 0) {
      showNotice({ message: (say) => say('connections.file.nothing') });
      return;
    }
    if (!(await saveText(fileName, text, 'application/json'))) return;
    showNotice({
      title: (say) => say('connections.file.exported', { count }),
      message: (say) => say('connections.file.exportedBody'),
    });
  });
}
