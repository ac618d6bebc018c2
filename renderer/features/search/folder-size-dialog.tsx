import { Button, Group } from '@mantine/core';
import { FolderOpen } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { nameText } from '../../../shared/keys/display.ts';
import type { WalkStatus } from '../../../shared/models/walks.ts';
import { joinClasses } from '../../ui/class-names.ts';
import type { DialogProps } from '../../ui/dialog/define-dialog.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { formatBytes } from '../../ui/words/format.ts';
import { KeyText } from '../../ui/cells/key-text.tsx';
import type { SearchWhere } from './search-services.ts';
import { SizeChildren } from './size-children.tsx';
import { SizeByClass, SizeFacts } from './size-facts.tsx';
import { isOf, useFolderSize, useSizes } from './use-walk.ts';
import common from '../../ui/common.module.css';
import classes from './size.module.css';

interface Props extends DialogProps<SearchWhere> {
  readonly onShow: (where: SearchWhere) => void;
  readonly onOpenFolder: (where: SearchWhere) => void;
}

/** Shows what uses the space in a folder. After the dialog closes, the count continues and its result is kept. */
export function FolderSizeDialog({ request: where, onShow, onOpenFolder, onClose }: Props) {
  const { t } = useTranslation();
  const size = useFolderSize(where);
  const { status, isPending, calculate } = size;
  const hasStarted = useRef(false);
  useEffect(() => {
    if (isPending || hasStarted.current) return;
    hasStarted.current = true;
    if (status === null) calculate();
  }, [isPending, status, calculate]);
  const { bucket, prefix } = where;
  const name = nameText(prefix === '' ? bucket : `${bucket}/${prefix}`, t('common.keyText.empty'));
  return (
    <Dialog
      onClose={onClose}
      size="lg"
      title={<span className={common.breaks}>{t('search.sizeOf.title', { name })}</span>}
    >
      <div className={classes.dialog}>
        {status === null ? (
          <p className={joinClasses(common.hint, common.numbers, classes.quiet)}>{t('common.loading')}</p>
        ) : (
          <>
            <SizeFacts status={status} onStop={size.stop} onAgain={calculate} />
            {status.byStorageClass.length === 0 ? null : (
              <section>
                <h3 className={joinClasses(common.quiet, common.strong, classes.heading)}>
                  {t('search.sizeOf.byClass')}
                </h3>
                <SizeByClass status={status} />
              </section>
            )}
            <section>
              <h3 className={joinClasses(common.quiet, common.strong, classes.heading)}>
                {t('search.sizeOf.children')}
              </h3>
              <SizeChildren
                key={status.walkId}
                status={status}
                onOpen={(below) => {
                  onClose();
                  onOpenFolder({ ...where, prefix: below });
                }}
              />
            </section>
          </>
        )}
        <Others where={where} onShow={onShow} />
        <Group justify="space-between">
          <Button
            variant="default"
            leftSection={<FolderOpen size={14} aria-hidden />}
            onClick={() => onOpenFolder(where)}
          >
            {t('search.sizeOf.open')}
          </Button>
          <Button onClick={onClose}>{t('common.close')}</Button>
        </Group>
      </div>
    </Dialog>
  );
}

/** Lists other folders whose size was or is being counted. */
function Others({ where, onShow }: Pick<Props, 'onShow'> & { readonly where: SearchWhere }) {
  const { t } = useTranslation();
  const { known } = useSizes();
  const others = known.filter((walk) => !isOf(where, walk));
  if (others.length === 0) return null;
  return (
    <section>
      <h3 className={joinClasses(common.quiet, common.strong, classes.heading)}>
        {t('search.sizeOf.others')}
      </h3>
      <ul className={classes.others}>
        {others.map((walk) => (
          <li key={walk.walkId}>
            <button
              type="button"
              className={joinClasses(common.row, classes.other)}
              onClick={() => {
                const { connectionId, bucket, prefix } = walk;
                onShow({ connectionId, bucket, prefix });
              }}
            >
              <span className={common.cut}>
                <KeyText name={`${walk.bucket}/${walk.prefix}`} />
              </span>
              <Amount walk={walk} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Amount({ walk }: { readonly walk: WalkStatus }) {
  const { t } = useTranslation();
  const size = formatBytes(walk.sizeBytes);
  return (
    <span className={joinClasses(common.hint, common.numbers, classes.quiet)}>
      {walk.state === 'done' ? size : t('search.sizeOf.otherSoFar', { size })}
    </span>
  );
}
