import { useTranslation } from 'react-i18next';
import { commandGroups, commandIds, commandTable, factsOf, keysIn } from '../../../shared/commands.ts';
import { windowHost } from '../../ui/keyboard/commands.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { shortcutText } from '../../ui/keyboard/shortcuts.ts';
import classes from '../palette/palette.module.css';

/** Lists all shortcuts that the window has on this host. */
export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const host = windowHost();
  const known = commandIds
    .filter((id) => factsOf(id).isDesktopOnly !== true || host === 'desktop')
    .map((id) => ({ id, keys: keysIn(host, id) }))
    .filter(({ keys }) => keys.length > 0);
  return (
    <Dialog onClose={onClose} title={t('common.shortcuts.title')} size={820}>
      <div className={classes.sheet}>
        {commandGroups.map((group) => (
          <div
            key={group}
            role="group"
            className={classes.section}
            aria-label={t(`common.shortcuts.groups.${group}`)}
          >
            <h3>{t(`common.shortcuts.groups.${group}`)}</h3>
            <dl>
              {known
                .filter(({ id }) => factsOf(id).group === group)
                .map(({ id, keys }) => (
                  <div key={id} className={classes.row}>
                    <dt>{t(commandTable[id].message)}</dt>
                    <dd>
                      {keys.map((key) => (
                        <kbd key={key}>{shortcutText(key)}</kbd>
                      ))}
                    </dd>
                  </div>
                ))}
            </dl>
          </div>
        ))}
      </div>
    </Dialog>
  );
}
