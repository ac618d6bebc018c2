import { showNotice } from '../../ui/notices/notices.tsx';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { lastSegment } from '../../../shared/keys/paths.ts';
import { rpc } from '../../rpc/client.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';
import { formatCount } from '../../ui/words/format.ts';
import { saveBlob, saveFrom } from '../../rpc/save-file.ts';

interface MapExportOptions {
  readonly mapId: string;
  readonly folder: string;
  readonly bucket: string;
  readonly canvas: RefObject<HTMLCanvasElement | null>;
}

/** Returns functions that save the totals for all folders as a table, or the map as an image. */
export function useMapExport({
  mapId,
  folder,
  bucket,
  canvas,
}: MapExportOptions): (format: 'csv' | 'csv-bom' | 'json' | 'png') => void {
  const { t } = useTranslation();
  return (format) => {
    if (format === 'png') {
      const name = folder === '' ? bucket : lastSegment(folder).replaceAll(/[^\p{L}\p{N}._-]+/gu, '_');
      canvas.current?.toBlob((blob) => {
        if (blob !== null) sayingFailure(async () => void (await saveBlob(`${name}.png`, blob)));
      }, 'image/png');
      return;
    }
    sayingFailure(async () => {
      const title = t('map.export.title');
      const made = await rpc.map.export({ mapId, folder, format, title });
      if (made.kind === 'saved')
        showNotice({
          message: (say) =>
            say('map.export.saved', {
              count: made.rows,
              number: formatCount(made.rows),
              name: made.fileName,
            }),
        });
      else if (made.kind === 'download') saveFrom(made.path, made.fileName);
    });
  };
}
