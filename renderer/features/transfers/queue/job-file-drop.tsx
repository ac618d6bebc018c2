import { useTranslation } from 'react-i18next';
import { rpc } from '../../../rpc/client.ts';
import { DropZone } from '../../../ui/drop/drop-zone.tsx';
import { useFileDrop } from '../../../ui/drop/file-drop.ts';
import { useDropped } from '../../../rpc/use-dropped.ts';

/** A drop target for the file that a job asks for again. */
export function JobFileDrop({ jobId }: { readonly jobId: string }) {
  const { t } = useTranslation();
  const dropped = useDropped(async (file) => {
    await rpc.jobs.giveFile({ jobId, fileHandle: file.handle });
  });
  const drop = useFileDrop(dropped.take);
  return (
    <div {...drop.handlers}>
      <DropZone label={t('files.drop.here')} drop={drop} dropped={dropped} />
    </div>
  );
}
