import { ActionIcon, Menu } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { ChevronRight, Ellipsis, HardDrive, PencilLine, Server } from 'lucide-react';
import { memo, useImperativeHandle, useState, type ReactNode, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { joinClasses } from '../../ui/class-names.ts';
import common from '../../ui/common.module.css';
import type { TypedAddress } from './read-typed.ts';
import { useLocalName } from '../../rpc/root-names.ts';
import { dropPlace, localDropPlace, type DropSpot } from '../../ui/drop/drop-place.ts';
import { useNameInPane, holdMainPane } from '../../ui/keyboard/panes.ts';
import { KeyText } from '../../ui/cells/key-text.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { withKeys } from '../../ui/keyboard/commands.ts';
import { connectionOf, placeKey, type WindowPlace } from '../places/places.ts';
import { stepsThatFit, stepsTo, type PathStep } from './path-steps.ts';
import { SiblingsMenu, type Segment } from './siblings-menu.tsx';
import classes from '../places/places.module.css';

/** The functions that the window's commands call on the path. */
export interface PathHandle {
  /** Opens the menu with the siblings of the current folder, bucket or connection. */
  showSiblings(): void;
}

export interface PathBarProps {
  readonly ref?: Ref<PathHandle>;
  readonly place: WindowPlace;
  readonly connectionName: string | null;
  readonly isEditing: boolean;
  readonly onEdit: (editing: boolean) => void;
  readonly onGo: (place: WindowPlace) => void;
  /**
   * Resolves the address and opens it. `leave` closes the field when the page renders; `signal` aborts when the user types on or
   * cancels. `completedIn` is the connection of an accepted completion. Returns false if no connection can open the address.
   */
  readonly onAddress: (
    address: TypedAddress,
    completedIn: string | null,
    leave: () => void,
    signal: AbortSignal,
  ) => Promise<boolean>;
}

export function Crumbs({ ref, place, connectionName, isEditing, onEdit, onGo }: PathBarProps) {
  const { t } = useTranslation();
  const label = useNameInPane(t('objects.path.label'));
  /** The segment whose menu of siblings is open. `of` is a folder's prefix, '' for the bucket, or null for the connection. */
  const [beside, setBeside] = useState<{ readonly of: string | null } | null>(null);
  const show = (of: string | null): void => setBeside({ of });
  useImperativeHandle(ref, () => ({
    showSiblings: () => {
      if (connectionOf(place) !== null) show(place.kind === 'folder' ? place.folder : null);
    },
  }));
  const siblings = (segment: Segment, name: string): SegmentMenu => {
    const of = segment.kind === 'connection' ? null : segment.prefix;
    return {
      menu: (
        <SiblingsMenu
          segment={segment}
          name={name}
          isOpen={beside?.of === of && beside !== null}
          onOpen={(open) => setBeside(open ? { of } : null)}
          onGo={(next) => {
            setBeside(null);
            // Holds focus, since the chosen entry has it and is removed with the menu.
            holdMainPane();
            onGo(next);
          }}
        />
      ),
      onMenu: () => show(of),
    };
  };
  const localName = useLocalName();
  const { ref: room, width } = useElementSize();
  const steps = stepsTo(place, {
    connection: connectionName,
    computer: t('files.computer'),
    uploads: t('entries.stalled.title'),
    search: t('entries.search.title'),
    localName,
  });
  const shown = stepsThatFit(steps, width);
  const crumbsOf = (some: readonly PathStep[]): ReactNode =>
    some.map((step) => (
      <Step
        key={placeKey(step.place)}
        step={step}
        isFirst={step === steps[0]}
        isCurrent={step === steps.at(-1)}
        siblings={siblings}
        onGo={onGo}
      />
    ));
  return (
    <nav
      aria-label={label}
      className={joinClasses(common.row, common.fill, common.framed, classes.pathBar)}
      hidden={isEditing}
    >
      {/* A click on the empty space next to the breadcrumbs opens the field. Keyboard users have the button and its shortcut. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <div
        ref={room}
        className={joinClasses(common.row, common.fill, common.clip, classes.crumbs)}
        onClick={(event) => {
          if (event.target === event.currentTarget) onEdit(true);
        }}
      >
        {crumbsOf(shown.start)}
        {shown.hidden.length === 0 ? null : (
          <HiddenSteps steps={shown.hidden} isFirst={shown.start.length === 0} onGo={onGo} />
        )}
        {crumbsOf(shown.end)}
      </div>
      <EditPath onEdit={onEdit} />
    </nav>
  );
}

interface SegmentMenu {
  /** The separator before the segment, which opens a menu with the siblings of the segment. */
  readonly menu: ReactNode;
  readonly onMenu: () => void;
}

const EditPath = memo(function EditPath({ onEdit }: Pick<PathBarProps, 'onEdit'>) {
  const { t } = useTranslation();
  return (
    <IconButton
      size="sm"
      label={t('objects.path.edit')}
      tip={withKeys(t('objects.path.edit'), 'editPath')}
      icon={PencilLine}
      iconPx={14}
      onClick={() => onEdit(true)}
    />
  );
});

interface StepProps {
  readonly step: PathStep;
  readonly isFirst: boolean;
  readonly isCurrent: boolean;
  readonly siblings: (segment: Segment, name: string) => SegmentMenu;
  readonly onGo: (place: WindowPlace) => void;
}

function Step({ step, isFirst, isCurrent, siblings, onGo }: StepProps) {
  const { segment, name, icon, drop, place } = step;
  const menu = segment === null ? null : siblings(segment, name);
  return (
    <>
      {menu === null ? isFirst ? null : <Slash /> : menu.menu}
      <CrumbButton
        isCurrent={isCurrent}
        {...(drop === null ? {} : { drop })}
        {...(menu === null ? {} : { onMenu: menu.onMenu })}
        onClick={() => onGo(place)}
      >
        {icon === 'connection' ? <Server size={14} aria-hidden /> : null}
        {icon === 'computer' ? <HardDrive size={14} aria-hidden /> : null}
        <StepName step={step} />
      </CrumbButton>
    </>
  );
}

interface HiddenStepsProps {
  readonly steps: readonly PathStep[];
  /** True if the hidden steps come first in the path. */
  readonly isFirst: boolean;
  readonly onGo: (place: WindowPlace) => void;
}

/** A menu with the steps that do not fit. */
function HiddenSteps({ steps, isFirst, onGo }: HiddenStepsProps) {
  const { t } = useTranslation();
  return (
    <>
      {isFirst ? null : <Slash />}
      <MenuButton
        renderButton={(attributes) => (
          <ActionIcon size="sm" aria-label={t('objects.path.hidden')} {...attributes}>
            <Ellipsis size={14} aria-hidden />
          </ActionIcon>
        )}
      >
        {steps.map((step) => (
          <Menu.Item key={placeKey(step.place)} onClick={() => onGo(step.place)}>
            <StepName step={step} />
          </Menu.Item>
        ))}
      </MenuButton>
    </>
  );
}

function StepName({ step }: { readonly step: PathStep }) {
  return step.kind === 'key' ? <KeyText name={step.name} /> : <bdi>{step.name}</bdi>;
}

function Slash() {
  return <ChevronRight size={13} aria-hidden className={classes.slash} />;
}

interface CrumbButtonProps {
  readonly isCurrent: boolean;
  /** The folder of this step, if rows can be dropped on it. */
  readonly drop?: DropSpot;
  /** Opens the menu with the siblings of this step, on Arrow Down. */
  readonly onMenu?: () => void;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function markOf(drop: DropSpot | undefined): object {
  if (drop === undefined) return {};
  return drop.kind === 'bucket' ? dropPlace(drop.place) : localDropPlace(drop.folder);
}

function CrumbButton({ isCurrent, drop, onMenu, onClick, children }: CrumbButtonProps) {
  return (
    <button
      type="button"
      className={joinClasses(common.quiet, common.clip, classes.crumb)}
      aria-current={isCurrent ? 'location' : undefined}
      {...markOf(drop)}
      onClick={onClick}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown' || event.altKey || onMenu === undefined) return;
        event.preventDefault();
        onMenu();
      }}
    >
      {children}
    </button>
  );
}
