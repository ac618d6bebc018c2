import { Button, Menu, Tooltip } from '@mantine/core';
import {
  ChevronDown,
  Copy,
  Download,
  Eye,
  FileDown,
  FolderInput,
  FolderOpen,
  FolderOutput,
  ListChecks,
  ServerCog,
  SlidersHorizontal,
  Trash2,
  type LucideIcon,
} from 'lucide-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { CommandId } from '../../../shared/commands.ts';
import { maxSelectedItems } from '../../../shared/models/limits.ts';
import { joinClasses } from '../../ui/class-names.ts';
import common from '../../ui/common.module.css';
import { MenuButton } from '../../ui/menu-button.tsx';
import { formatBytes, formatCount } from '../../ui/words/format.ts';
import { PointMenu, type MenuPoint, MenuEntries, type MenuGroup, menuEntry } from '../../ui/menus.tsx';
import { keysOf, withKeys } from '../../ui/keyboard/commands.ts';
import { shortcutText } from '../../ui/keyboard/shortcuts.ts';
import type { FolderActions } from '../objects/index.ts';
import type { ResultActions } from './result-actions.ts';
import type { SelectedSum } from './results-model.ts';
import classes from './search.module.css';

interface Props {
  readonly actions: ResultActions;
  readonly isAll: boolean;
  readonly selected: SelectedSum;
  readonly isRunning: boolean;
  readonly onPreview: () => void;
  readonly onSelectAll: () => void;
}

const icon = { size: 14, 'aria-hidden': true } as const;

/** The selection and its actions. */
export function ResultBar({ actions, isAll, selected, isRunning, onPreview, onSelectAll }: Props) {
  const { t } = useTranslation();
  const { hindrance, only } = actions;
  const cannot = hindrance !== null;
  const why =
    hindrance === null
      ? undefined
      : t(`search.hindrances.${hindrance}`, {
          keys: shortcutText(keysOf('selectAll') ?? ''),
          limit: formatCount(maxSelectedItems),
        });
  return (
    <div
      className={joinClasses(common.wrap, common.fixed, classes.bar)}
      role="toolbar"
      aria-label={t('search.actions.label')}
    >
      <Tooltip label={withKeys(t('search.actions.selectAll'), 'selectAll')}>
        <Button variant="default" leftSection={<ListChecks {...icon} />} onClick={onSelectAll}>
          {t('search.actions.selectAll')}
        </Button>
      </Tooltip>
      <span className={classes.selected}>
        {selected.count === 0
          ? null
          : `${t(isAll ? 'search.allSelected' : 'search.selected', { count: selected.count, rows: formatCount(selected.count) })} · ${formatBytes(selected.sizeBytes)}`}
        {hindrance === null || hindrance === 'none' ? null : <span className={common.warn}>{why}</span>}
      </span>
      <ResultTool
        label={t('search.actions.preview')}
        command="open"
        icon={Eye}
        isDisabled={only === null}
        onClick={onPreview}
      />
      <ResultTool
        label={t('search.actions.goToFolder')}
        command="openInTab"
        icon={FolderOpen}
        isDisabled={only === null}
        onClick={() => actions.goToFolder(false)}
      />
      <ResultTool
        label={t('search.actions.download')}
        command="download"
        icon={Download}
        isDisabled={cannot}
        why={why}
        onClick={actions.download}
      />
      <ResultTool
        label={t('search.actions.delete')}
        command="remove"
        icon={Trash2}
        isDisabled={cannot}
        why={why}
        onClick={actions.remove}
      />
      <MenuButton
        position="bottom-end"
        renderButton={(attributes) => (
          <Tooltip label={t('search.actions.export')}>
            <Button
              variant="default"
              className={classes.tool ?? ''}
              leftSection={<FileDown {...icon} />}
              rightSection={<ChevronDown {...icon} />}
              {...attributes}
            >
              {t('search.actions.export')}
            </Button>
          </Tooltip>
        )}
      >
        {isRunning ? <Menu.Label>{t('search.actions.exportWhileRunning')}</Menu.Label> : null}
        <MenuEntries
          groups={[
            [
              { label: t('search.actions.exportCsv'), run: () => actions.exportAs('csv') },
              { label: t('common.csvForExcel'), run: () => actions.exportAs('csv-bom') },
              { label: t('search.actions.exportJson'), run: () => actions.exportAs('json') },
              { label: t('search.actions.exportManifest'), run: () => actions.exportAs('manifest') },
            ],
            [
              actions.batch !== null && {
                label: t('entries.batches.open'),
                isDisabled: cannot,
                title: why,
                run: actions.batch,
              },
            ],
          ]}
        />
      </MenuButton>
    </div>
  );
}

interface ToolProps {
  readonly label: string;
  readonly command: CommandId;
  readonly icon: LucideIcon;
  readonly isDisabled: boolean;
  /** The reason why the button is disabled. */
  readonly why?: string | undefined;
  readonly onClick: () => void;
}

/** A button that shows only its icon in a narrow window. The tooltip shows its label. */
function ResultTool({ label, command, icon: Icon, isDisabled, why, onClick }: ToolProps) {
  return (
    <Tooltip label={withKeys(label, command)} disabled={isDisabled}>
      <Button
        variant="default"
        className={classes.tool ?? ''}
        disabled={isDisabled}
        // A disabled button sends no mouse events to the tooltip, so the button needs a title.
        {...(isDisabled ? { title: why ?? label } : {})}
        leftSection={<Icon {...icon} />}
        onClick={onClick}
      >
        {label}
      </Button>
    </Tooltip>
  );
}

interface MenuProps {
  /** Null while closed. */
  readonly at: MenuPoint | null;
  readonly resultActions: ResultActions;
  readonly actions: FolderActions;
  readonly count: number;
  readonly onClose: () => void;
}

/** Shows the context menu while all results are selected. It has the actions that also handle results that are not loaded. */
export function AllResultsMenu({ at, resultActions, actions, count, onClose }: MenuProps) {
  const { t } = useTranslation();
  const isDisabled = resultActions.hindrance !== null;
  return (
    <PointMenu at={at} label={t('search.actions.label')} widthPx={260} offsetPx={2} onClose={onClose}>
      <MenuEntries
        groups={[
          [
            menuEntry(
              t('search.actions.copyKeys', { rows: formatCount(count) }),
              Copy,
              resultActions.copyKeys,
              { command: 'copy' },
            ),
            menuEntry(t('operations.menu.copyTo'), FolderInput, actions.copyTo, { isDisabled }),
            menuEntry(t('operations.menu.moveTo'), FolderOutput, actions.moveTo, { isDisabled }),
            menuEntry(t('entries.properties.open'), SlidersHorizontal, actions.about.properties, {
              command: 'properties',
              isDisabled,
            }),
          ],
          [
            menuEntry(t('search.actions.download'), Download, resultActions.download, {
              command: 'download',
              isDisabled,
            }),
            menuEntry(t('search.actions.delete'), Trash2, resultActions.remove, {
              command: 'remove',
              isDanger: true,
              isDisabled,
            }),
            batchEntry(resultActions, t),
          ],
        ]}
      />
    </PointMenu>
  );
}

/** Returns the menu entry of a batch job, or false if the service has none. */
function batchEntry({ batch, hindrance }: ResultActions, t: TFunction): MenuGroup[number] {
  return (
    batch !== null &&
    menuEntry(t('entries.batches.open'), ServerCog, batch, { isDisabled: hindrance !== null })
  );
}

/** Returns the entries of a result's menu that an object in a folder does not have. */
export function foundEntries(actions: ResultActions, t: TFunction): MenuGroup {
  const { only, goToFolder } = actions;
  return [
    only !== null &&
      menuEntry(t('search.actions.goToFolder'), FolderOpen, () => goToFolder(false), {
        command: 'openInTab',
      }),
    only !== null && menuEntry(t('search.actions.goToFolderInTab'), FolderOpen, () => goToFolder(true)),
    batchEntry(actions, t),
  ];
}
