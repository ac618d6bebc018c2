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
  Link2,
  ListChecks,
  ServerCog,
  SlidersHorizontal,
  Trash2,
  type LucideIcon,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { CommandId } from '../../../shared/commands.ts';
import { maxSelectedItems } from '../../../shared/models/selection-limit.ts';
import { MenuButton } from '../../ui/menu-button.tsx';
import { formatBytes, formatCount } from '../../ui/words/format.ts';
import { MenuKeys, PointMenu, type MenuPoint } from '../../ui/point-menu.tsx';
import { keysOf, withKeys } from '../../ui/keyboard/commands.ts';
import { shortcutText } from '../../ui/keyboard/shortcuts.ts';
import type { ResultActions } from './result-actions.ts';
import type { SelectedSum } from './result-selection.ts';
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
    <div className={classes.bar} role="toolbar" aria-label={t('search.actions.label')}>
      <Tooltip label={withKeys(t('search.actions.selectAll'), 'selectAll')}>
        <Button variant="default" leftSection={<ListChecks {...icon} />} onClick={onSelectAll}>
          {t('search.actions.selectAll')}
        </Button>
      </Tooltip>
      <span className={classes.selected}>
        {selected.count === 0
          ? null
          : `${t(isAll ? 'search.allSelected' : 'search.selected', { count: selected.count, rows: formatCount(selected.count) })} · ${formatBytes(selected.sizeBytes)}`}
        {hindrance === null || hindrance === 'none' ? null : <span className={classes.why}>{why}</span>}
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
        <Menu.Item onClick={() => actions.exportAs('csv')}>{t('search.actions.exportCsv')}</Menu.Item>
        <Menu.Item onClick={() => actions.exportAs('csv-bom')}>{t('common.csvForExcel')}</Menu.Item>
        <Menu.Item onClick={() => actions.exportAs('json')}>{t('search.actions.exportJson')}</Menu.Item>
        <Menu.Item onClick={() => actions.exportAs('manifest')}>
          {t('search.actions.exportManifest')}
        </Menu.Item>
        {actions.batch === null ? null : (
          <>
            <Menu.Divider />
            <Menu.Item disabled={cannot} title={why} onClick={actions.batch}>
              {t('entries.batches.open')}
            </Menu.Item>
          </>
        )}
      </MenuButton>
    </div>
  );
}

interface ToolProps {
  readonly label: string;
  readonly command: CommandId;
  readonly icon: LucideIcon;
  readonly isDisabled: boolean;
  /** Why it is disabled. */
  readonly why?: string | undefined;
  readonly onClick: () => void;
}

/** A button that keeps its picture alone where room is short; its words are then in its tooltip. */
function ResultTool({ label, command, icon: Icon, isDisabled, why, onClick }: ToolProps) {
  return (
    <Tooltip label={withKeys(label, command)} disabled={isDisabled}>
      <Button
        variant="default"
        className={classes.tool ?? ''}
        disabled={isDisabled}
        // A disabled button does not tell the tooltip that the mouse is over it.
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
  /** null: closed. */
  readonly at: MenuPoint | null;
  readonly actions: ResultActions;
  readonly count: number;
  readonly onClose: () => void;
  readonly onPreview: () => void;
  readonly onSelectAll: () => void;
}

/** The same, where the row is. */
export function ResultMenu({ at, actions, count, onClose, onPreview, onSelectAll }: MenuProps) {
  const { t } = useTranslation();
  const { only, hindrance } = actions;
  return (
    <PointMenu at={at} label={t('search.actions.label')} widthPx={260} offsetPx={2} onClose={onClose}>
      {only === null ? null : (
        <>
          <Menu.Item
            leftSection={<Eye {...icon} />}
            rightSection={<MenuKeys command="open" />}
            onClick={onPreview}
          >
            {t('search.actions.preview')}
          </Menu.Item>
          <Menu.Item
            leftSection={<FolderOpen {...icon} />}
            rightSection={<MenuKeys command="openInTab" />}
            onClick={() => actions.goToFolder(false)}
          >
            {t('search.actions.goToFolder')}
          </Menu.Item>
          <Menu.Item leftSection={<FolderOpen {...icon} />} onClick={() => actions.goToFolder(true)}>
            {t('search.actions.goToFolderInTab')}
          </Menu.Item>
          <Menu.Divider />
        </>
      )}
      <Menu.Item
        leftSection={<Copy {...icon} />}
        rightSection={<MenuKeys command="copy" />}
        onClick={actions.copyKeys}
      >
        {only === null
          ? t('search.actions.copyKeys', { rows: formatCount(count) })
          : t('search.actions.copyKey')}
      </Menu.Item>
      {actions.link === null ? null : (
        <Menu.Item leftSection={<Link2 {...icon} />} onClick={actions.link}>
          {t('entries.links.open')}
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={<FolderInput {...icon} />}
        disabled={hindrance !== null}
        onClick={actions.copyTo}
      >
        {t('operations.menu.copyTo')}
      </Menu.Item>
      <Menu.Item
        leftSection={<FolderOutput {...icon} />}
        disabled={hindrance !== null}
        onClick={actions.moveTo}
      >
        {t('operations.menu.moveTo')}
      </Menu.Item>
      <Menu.Item
        leftSection={<SlidersHorizontal {...icon} />}
        rightSection={<MenuKeys command="properties" />}
        disabled={hindrance !== null}
        onClick={actions.properties}
      >
        {t('entries.properties.open')}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item
        leftSection={<Download {...icon} />}
        rightSection={<MenuKeys command="download" />}
        disabled={hindrance !== null}
        onClick={actions.download}
      >
        {t('search.actions.download')}
      </Menu.Item>
      <Menu.Item
        leftSection={<Trash2 {...icon} />}
        rightSection={<MenuKeys command="remove" />}
        disabled={hindrance !== null}
        onClick={actions.remove}
      >
        {t('search.actions.delete')}
      </Menu.Item>
      {actions.batch === null ? null : (
        <Menu.Item
          leftSection={<ServerCog {...icon} />}
          disabled={hindrance !== null}
          onClick={actions.batch}
        >
          {t('entries.batches.open')}
        </Menu.Item>
      )}
      <Menu.Divider />
      <Menu.Item
        leftSection={<ListChecks {...icon} />}
        rightSection={<MenuKeys command="selectAll" />}
        onClick={onSelectAll}
      >
        {t('search.actions.selectAll')}
      </Menu.Item>
    </PointMenu>
  );
}
