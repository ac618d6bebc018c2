import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { usesCommandKey } from '../../ui/keyboard/shortcuts.ts';
import { placeText } from './chosen.ts';
import { draggedText, useDrag } from './drag.ts';
import classes from './operations.module.css';

/** Describes what dropping the rows would do. */
export const DragHint = memo(function DragHint() {
  const { t } = useTranslation();
  const drag = useDrag();
  if (drag === null) return null;
  const { over, source } = drag;
  const things = draggedText(source, t);
  return (
    <div className={classes.hint} role="status">
      <span>
        {over === null
          ? t('operations.drag.nowhere')
          : t(over.isMove ? 'operations.drag.move' : 'operations.drag.copy', {
              things,
              place: over.to.kind === 'bucket' ? placeText(over.to.place) : over.to.folder.name,
            })}
      </span>
      <span>{t(usesCommandKey() ? 'operations.drag.keysMac' : 'operations.drag.keys')}</span>
    </div>
  );
});
