import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { usesCommandKey } from '../../ui/shortcuts.ts';
import { placeText, thingsText } from './chosen.ts';
import { useDrag } from './drag.ts';
import classes from './operations.module.css';

/** What letting go of the dragged rows would do, in words. */
export const DragHint = memo(function DragHint() {
  const { t } = useTranslation();
  const drag = useDrag();
  if (drag === null) return null;
  const { over, rows } = drag;
  const things = thingsText(rows, t);
  return (
    <div className={classes.hint} role="status">
      <span>
        {over === null
          ? t('operations.drag.nowhere')
          : t(over.isMove ? 'operations.drag.move' : 'operations.drag.copy', {
              things,
              place: placeText(over.to),
            })}
      </span>
      <span>{t(usesCommandKey() ? 'operations.drag.keysMac' : 'operations.drag.keys')}</span>
    </div>
  );
});
