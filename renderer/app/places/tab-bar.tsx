import { Flex, Group } from '@mantine/core';
import { HardDrive, House, Plus, Search, Server, TimerReset, X } from 'lucide-react';
import { memo, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { assertNever } from '../../../shared/assert-never.ts';
import { nameText } from '../../../shared/keys/display.ts';
import { useLocalName } from '../../rpc/root-names.ts';
import { KeyText } from '../../ui/cells/key-text.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { joinClasses } from '../../ui/class-names.ts';
import { withKeys } from '../../ui/keyboard/commands.ts';
import { TypeIcon } from '../../ui/cells/type-icon.tsx';
import { setPlaceTitle } from '../../ui/words/window-title.ts';
import { activeTab, paneOf, placeOf, type Navigation, type NavigationAction } from './navigation.ts';
import {
  placeMark,
  folderTitle,
  namesAbove,
  startPlace,
  type LocalWindowPlace,
  type WindowPlace,
} from './places.ts';
import { tabNames, type TabTitle } from './tab-names.ts';
import common from '../../ui/common.module.css';
import classes from './places.module.css';

interface TabBarProps {
  readonly navigation: Navigation;
  readonly connectionName: (connectionId: string) => string;
  readonly dispatch: (action: NavigationAction) => void;
}

/** Shows the open tabs. Arrow keys move between them, Delete closes a tab. */
export function TabBar({ navigation, connectionName, dispatch }: TabBarProps) {
  const { t } = useTranslation();
  const localName = useLocalName();
  const localTitle = ({ trail }: LocalWindowPlace): string => {
    const folder = trail.at(-1);
    return folder === undefined ? t('files.computer') : localName(folder);
  };
  const title = (place: WindowPlace): TabTitle => {
    switch (place.kind) {
      case 'start':
        return { name: t('common.shell.start'), above: [] };
      case 'local':
        return {
          name: localTitle(place),
          above: place.trail
            .slice(0, -1)
            .map(({ name }) => name)
            .toReversed(),
        };
      case 'uploads':
        return { name: t('entries.stalled.title'), above: namesAbove(place, connectionName) };
      case 'search':
        return {
          name: place.form.text === '' ? t('entries.search.title') : place.form.text,
          above: namesAbove(place, connectionName),
        };
      case 'connection':
        return { name: connectionName(place.connectionId), above: [] };
      case 'folder':
        return { name: folderTitle(place), above: namesAbove(place, connectionName).slice(1) };
      default:
        return assertNever(place);
    }
  };
  const titles = navigation.tabs.map((tab): TabTitle => {
    const panes = tab.panes.map((pane) => title(placeOf(pane)));
    return { name: panes.map(({ name }) => name).join(' · '), above: panes[0]?.above ?? [] };
  });
  const names = tabNames(titles);
  const activeName = names[navigation.tabs.findIndex(({ id }) => id === navigation.activeId)] ?? null;
  const isStart = placeOf(paneOf(activeTab(navigation))).kind === 'start';
  useEffect(() => {
    setPlaceTitle(isStart ? null : activeName);
  }, [isStart, activeName]);
  return (
    <Group
      data-pane="tabs"
      className={common.lineBelow}
      wrap="nowrap"
      flex="none"
      gap={4}
      h={36}
      px="xs"
      bg="var(--cooper-sidebar)"
    >
      <Flex
        role="tablist"
        aria-label={t('common.shell.tabs')}
        className={common.clip}
        align="flex-end"
        gap={2}
        style={{ alignSelf: 'stretch' }}
        miw={0}
      >
        {navigation.tabs.map((tab, at) => {
          const place = placeOf(paneOf(tab));
          const name = names[at] ?? '';
          const isActive = tab.id === navigation.activeId;
          const close = (): void => dispatch({ kind: 'close-tab', id: tab.id });
          return (
            <div
              key={tab.id}
              role="presentation"
              className={joinClasses(common.row, common.quiet, classes.tab)}
              data-active={isActive}
              data-drop-tab={tab.id}
              {...placeMark(place)}
            >
              <button
                type="button"
                role="tab"
                id={`tab-${String(tab.id)}`}
                aria-selected={isActive}
                aria-controls="tab-panel"
                aria-keyshortcuts="Delete"
                tabIndex={isActive ? 0 : -1}
                className={joinClasses(common.row, common.fill, classes.tabButton)}
                onClick={() => dispatch({ kind: 'activate', id: tab.id })}
                onAuxClick={(event) => {
                  if (event.button === 1) close();
                }}
                onKeyDown={(event) => {
                  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
                  if (step !== 0 && !event.altKey) {
                    dispatch({ kind: 'next-tab', step });
                    const bar = event.currentTarget.closest('[role="tablist"]');
                    requestAnimationFrame(() =>
                      bar?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus(),
                    );
                  }
                  if (event.key === 'Delete') close();
                }}
              >
                <PlaceIcon place={place} />
                <span className={common.cut}>
                  <KeyText name={name} />
                </span>
              </button>
              {navigation.tabs.length === 1 ? null : (
                // A button for mouse users. Assistive technology expects only tabs in a tab list, and keyboard users press
                // Delete.
                <button
                  type="button"
                  tabIndex={-1}
                  aria-hidden
                  className={joinClasses(common.quiet, common.fixed, classes.tabClose)}
                  title={t('common.shell.closeTab', { name: nameText(name, t('common.keyText.empty')) })}
                  onClick={close}
                >
                  <X size={13} aria-hidden />
                </button>
              )}
            </div>
          );
        })}
      </Flex>
      <NewTab dispatch={dispatch} />
    </Group>
  );
}

const NewTab = memo(function NewTab({ dispatch }: Pick<TabBarProps, 'dispatch'>) {
  const { t } = useTranslation();
  return (
    <IconButton
      size="sm"
      label={t('common.shell.newTab')}
      tip={withKeys(t('common.shell.newTab'), 'newTab')}
      icon={Plus}
      iconPx={15}
      onClick={() => dispatch({ kind: 'open-tab', place: startPlace })}
    />
  );
});

const placeIcons = {
  start: House,
  local: HardDrive,
  connection: Server,
  uploads: TimerReset,
  search: Search,
} as const;

function PlaceIcon({ place: { kind } }: { readonly place: WindowPlace }) {
  if (kind === 'folder') return <TypeIcon name="" isFolder size={14} />;
  const Icon = placeIcons[kind];
  return <Icon size={14} aria-hidden />;
}
