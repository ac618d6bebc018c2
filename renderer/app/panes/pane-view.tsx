import { ArrowLeft, ArrowRight, ArrowUp, X, type LucideIcon } from 'lucide-react';
import { useCallback, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import type { BucketServices } from '../../features/connections/index.ts';
import type { FolderActions, FolderHandle, LocalActions } from '../../features/objects/index.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { joinClasses } from '../../ui/class-names.ts';
import common from '../../ui/common.module.css';
import { ActivePane, PaneName } from '../../ui/keyboard/panes.ts';
import {
  canGoBack,
  canGoForward,
  canGoUp,
  placeOf,
  type NavigationAction,
  type Pane,
  type PaneId,
} from '../places/navigation.ts';
import { placeMark, type WindowPlace } from '../places/places.ts';
import { PanePath } from './pane-path.tsx';
import type { PathHandle } from '../path/crumbs.tsx';
import { PlacePage } from '../pages/place-page.tsx';
import type { FoundServices } from '../pages/search-place.tsx';
import type { SearchActions } from '../pages/use-searches.ts';
import type { WindowNavigation } from '../places/use-navigation.ts';
import classes from './panes.module.css';

/** The props that all panes share. */
export interface PaneServices extends Pick<WindowNavigation, 'dispatch' | 'go' | 'arrive' | 'placeAhead'> {
  readonly connectionName: (connectionId: string) => string;
  readonly actions: FolderActions;
  readonly found: FoundServices;
  readonly buckets: BucketServices;
  readonly local: LocalActions;
  readonly onSearch: (text: string) => void;
  readonly onObject: SearchActions['focusObject'];
  /** The path of the active pane. */
  readonly path: Ref<PathHandle>;
  readonly onEditPath: (pane: PaneId, editing: boolean) => void;
  readonly onDetails: (open: boolean) => void;
  readonly onToggleVersions: () => void;
}

interface PaneViewProps {
  readonly pane: Pane;
  readonly side: 'alone' | 'left' | 'right';
  readonly isActive: boolean;
  readonly isRestored: boolean;
  readonly isEditingPath: boolean;
  readonly areVersionsShown: boolean;
  readonly handle: (pane: PaneId, handle: FolderHandle | null) => void;
  readonly services: PaneServices;
}

/** Shows a pane of a tab. A tab has one or two panes, each with its own history and path. The pane used last is active. */
export function PaneView(props: PaneViewProps) {
  const { pane, side, isActive, services, handle } = props;
  const { t } = useTranslation();
  const { id } = pane;
  const { dispatch } = services;
  const place = placeOf(pane);
  const folderRef: Ref<FolderHandle> = useCallback(
    (folder: FolderHandle | null) => {
      handle(id, folder);
      return () => handle(id, null);
    },
    [handle, id],
  );
  const activate = (): void => {
    if (!isActive) dispatch({ kind: 'activate-pane', pane: id });
  };
  const go = (next: WindowPlace): void => services.go(next, id);
  return (
    <PaneName value={side === 'alone' ? null : t(`common.panes.${side}`)}>
      <ActivePane value={isActive}>
        <div
          {...(side === 'alone' ? {} : { role: 'group', 'aria-label': t(`common.panes.${side}`) })}
          data-pane={isActive ? 'main' : 'other'}
          data-pair={side === 'alone' ? undefined : isActive ? 'active' : 'resting'}
          tabIndex={-1}
          className={joinClasses(common.fill, common.column, common.clip, classes.pane)}
          onPointerDownCapture={activate}
          onFocusCapture={activate}
          {...placeMark(place)}
        >
          {side === 'alone' ? null : <PaneHeader {...props} place={place} onGo={go} />}
          {props.isRestored ? (
            <PlacePage
              place={place}
              list={id}
              folderRef={folderRef}
              onGo={go}
              onReplace={(next) => dispatch({ kind: 'replace', place: next, pane: id })}
              onOpenTab={(next) => dispatch({ kind: 'open-tab', place: next, inBackground: true })}
              onDetails={services.onDetails}
              onSearch={services.onSearch}
              areVersionsShown={props.areVersionsShown}
              onHideVersions={services.onToggleVersions}
              actions={services.actions}
              found={services.found}
              buckets={services.buckets}
              local={services.local}
            />
          ) : null}
        </div>
      </ActivePane>
    </PaneName>
  );
}

interface HeaderProps extends PaneViewProps {
  readonly place: WindowPlace;
  readonly onGo: (place: WindowPlace) => void;
}

function PaneHeader({ pane, isActive, place, isEditingPath, services, onGo }: HeaderProps) {
  const { t } = useTranslation();
  const { id } = pane;
  const step = (kind: 'back' | 'forward' | 'up'): (() => void) => {
    const action: NavigationAction = { kind, pane: id };
    return () => services.dispatch(action);
  };
  return (
    <div className={joinClasses(common.row, common.fixed, common.lineBelow, classes.header)}>
      <Tool label={t('common.shell.back')} icon={ArrowLeft} onClick={step('back')} isOff={!canGoBack(pane)} />
      <Tool
        label={t('common.shell.forward')}
        icon={ArrowRight}
        onClick={step('forward')}
        isOff={!canGoForward(pane)}
      />
      <Tool label={t('common.shell.up')} icon={ArrowUp} onClick={step('up')} isOff={!canGoUp(pane)} />
      <PanePath
        {...(isActive ? { ref: services.path } : {})}
        place={place}
        onObject={services.onObject}
        placeAhead={() => services.placeAhead(id)}
        connectionName={services.connectionName}
        isEditing={isEditingPath}
        onEdit={(editing) => services.onEditPath(id, editing)}
        onGo={onGo}
        onArrive={(next, leave) => services.arrive(next, leave, id)}
      />
      <Tool
        label={t('common.panes.close')}
        icon={X}
        onClick={() => services.dispatch({ kind: 'close-pane', pane: id })}
      />
    </div>
  );
}

interface ToolProps {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly isOff?: boolean;
  readonly onClick: () => void;
}

function Tool({ label, icon, isOff = false, onClick }: ToolProps) {
  return (
    <IconButton
      size="sm"
      label={label}
      icon={icon}
      iconPx={15}
      disabled={isOff}
      className={classes.tool ?? ''}
      onClick={onClick}
    />
  );
}
