import { useTranslation } from 'react-i18next';
import { lastSegment } from '../../../shared/keys/paths.ts';
import type { ObjectRef } from '../../../shared/models/objects.ts';
import { joinClasses } from '../../ui/class-names.ts';
import common from '../../ui/common.module.css';
import type { DialogProps } from '../../ui/dialog/define-dialog.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { KeyText } from '../../ui/cells/key-text.tsx';
import { VersionsView } from './versions-view.tsx';
import classes from './versions.module.css';

/** All versions of one object. */
export function VersionsDialog({ request, onClose }: DialogProps<ObjectRef>) {
  const { t } = useTranslation();
  const { connectionId, bucket, key } = request;
  const name = lastSegment(key);
  return (
    <Dialog
      onClose={onClose}
      size="min(960px, 96vw)"
      title={
        <>
          <span>{t('versions.titleOf', { name: '' })}</span>
          <KeyText name={name} />
        </>
      }
    >
      <div className={joinClasses(common.column, classes.dialogBody)}>
        <VersionsView where={{ connectionId, bucket, prefix: key, delimiter: null }} name={name} />
      </div>
    </Dialog>
  );
}
