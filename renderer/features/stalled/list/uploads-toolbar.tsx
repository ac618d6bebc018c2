import { ActionIcon, Button, Checkbox, Menu, TextInput } from '@mantine/core';
import { Check, Ellipsis, FileUp, FolderOpen, ListFilter, RotateCw, Search, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { type UploadFilter, type UploadRef, verdicts } from '../../../../shared/models/stalled.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { joinClasses } from '../../../ui/class-names.ts';
import common from '../../../ui/common.module.css';
import { MenuButton } from '../../../ui/menu-button.tsx';
import { type MenuPoint, PointMenu, MenuEntries } from '../../../ui/menus.tsx';
import { toggledVerdict } from '../model/list-query.ts';
import classes from '../stalled-list.module.css';
import { openUpload, openUploadDialog } from '../model/uploads-store.ts';
import type { Loss, Selected } from '../model/upload-selection.ts';

const uploadActions = ['open', 'resume', 'complete', 'abort'] as const;
export type UploadAction = (typeof uploadActions)[number];

/** Returns true if the action can be used with this number of selected uploads. */
export function isAllowed(action: UploadAction, count: number): boolean {
  return action === 'open' ? count === 1 : count > 0;
}

/** Returns the key for the label of the button. One upload is resumed from a file, several from a folder. */
function uploadActionLabel(action: UploadAction, count: number): UploadAction | 'resumeFolder' {
  return action === 'resume' && count > 1 ? 'resumeFolder' : action;
}

export function runAction(action: UploadAction, uploads: readonly Selected[], loss: Loss): void {
  const refs: readonly UploadRef[] = uploads.map(({ ref }) => ref);
  const [first] = refs;
  if (first === undefined) return;
  switch (action) {
    case 'open':
      return openUpload(first);
    case 'resume':
      return openUploadDialog(
        refs.length === 1 ? { kind: 'resume', ref: first } : { kind: 'resume-folder', refs },
      );
    case 'complete':
      return openUploadDialog({ kind: 'complete', refs });
    default:
      return openUploadDialog({ kind: 'abort', uploads, loss });
  }
}

interface UploadsToolbarProps {
  readonly filter: UploadFilter;
  readonly onFilter: (filter: UploadFilter) => void;
  readonly selectedCount: number;
  readonly onAction: (action: UploadAction) => void;
  readonly onReload: () => void;
  readonly onTyped: () => void;
  /** Opens the dialog that aborts old uploads. Null until an upload has been found. */
  readonly onOld: (() => void) | null;
}

const icons = { open: FolderOpen, resume: FileUp, complete: Check, abort: Trash2 } as const;

/** The filter, and the actions on the selection. */
export function UploadsToolbar(props: UploadsToolbarProps) {
  const { t } = useTranslation();
  const { filter, onFilter, selectedCount } = props;
  return (
    <div
      className={joinClasses(common.wrap, common.fixed, classes.bar)}
      role="toolbar"
      aria-label={t('stalled.toolbar.label')}
    >
      <TextInput
        flex="6 1 80px"
        miw={80}
        maw={280}
        leftSection={<Search size={14} aria-hidden />}
        placeholder={t('stalled.toolbar.filter')}
        aria-label={t('stalled.toolbar.filterLabel')}
        value={filter.text}
        onChange={(event) => onFilter({ ...filter, text: event.currentTarget.value })}
      />
      <VerdictMenu filter={filter} onFilter={onFilter} />
      <span className={common.fill} />
      {uploadActions.map((action) => {
        const Icon = icons[action];
        return (
          <Button
            key={action}
            variant="default"
            disabled={!isAllowed(action, selectedCount)}
            leftSection={<Icon size={14} aria-hidden />}
            onClick={() => props.onAction(action)}
          >
            {t(`stalled.toolbar.${uploadActionLabel(action, selectedCount)}`)}
          </Button>
        );
      })}
      <IconButton label={t('stalled.toolbar.reload')} icon={RotateCw} onClick={props.onReload} />
      <MenuButton
        position="bottom-end"
        renderButton={(attributes) => (
          <ActionIcon aria-label={t('stalled.toolbar.more')} {...attributes}>
            <Ellipsis size={16} aria-hidden />
          </ActionIcon>
        )}
      >
        <MenuEntries
          groups={[
            [
              { label: t('stalled.toolbar.typed'), run: props.onTyped },
              {
                label: t('stalled.toolbar.old'),
                isDisabled: props.onOld === null,
                run: () => props.onOld?.(),
              },
            ],
          ]}
        />
      </MenuButton>
    </div>
  );
}

function VerdictMenu({ filter, onFilter }: Pick<UploadsToolbarProps, 'filter' | 'onFilter'>) {
  const { t } = useTranslation();
  const count = filter.verdicts?.length ?? 0;
  return (
    <MenuButton
      closeOnItemClick={false}
      position="bottom-start"
      renderButton={(attributes) => (
        <Button
          variant={count === 0 ? 'default' : 'light'}
          leftSection={<ListFilter size={14} aria-hidden />}
          title={t('stalled.toolbar.verdictFilter')}
          {...attributes}
        >
          {t('stalled.columns.verdict')}
          {count === 0 ? null : ` (${String(count)})`}
        </Button>
      )}
    >
      {verdicts.map((verdict) => {
        const on = filter.verdicts?.includes(verdict) ?? false;
        return (
          <Menu.Item
            key={verdict}
            role="menuitemcheckbox"
            aria-checked={on}
            leftSection={<Checkbox.Indicator checked={on} size="xs" aria-hidden />}
            onClick={() => onFilter(toggledVerdict(filter, verdict))}
          >
            {t(`stalled.verdicts.${verdict}.label`)}
          </Menu.Item>
        );
      })}
    </MenuButton>
  );
}

interface UploadMenuProps {
  readonly at: MenuPoint | null;
  readonly onClose: () => void;
  readonly count: number;
  readonly onAction: (action: UploadAction) => void;
}

/** The context menu of the selected uploads, where the pointer is. */
export function UploadMenu({ at, onClose, count, onAction }: UploadMenuProps) {
  const { t } = useTranslation();
  if (at === null) return null;
  return (
    <PointMenu at={at} onClose={onClose}>
      <MenuEntries
        groups={[
          uploadActions.map((action) => ({
            label: t(`stalled.toolbar.${uploadActionLabel(action, count)}`),
            isDanger: action === 'abort',
            isDisabled: !isAllowed(action, count),
            run: () => {
              onClose();
              onAction(action);
            },
          })),
        ]}
      />
    </PointMenu>
  );
}
