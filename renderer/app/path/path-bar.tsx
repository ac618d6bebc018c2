import { ActionIcon, Loader, Menu, TextInput, Tooltip } from '@mantine/core';
import { ChevronRight, Ellipsis, HardDrive, PencilLine, Server } from 'lucide-react';
import {
  Fragment,
  memo,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
  type ReactNode,
  type Ref,
} from 'react';
import { useTranslation } from 'react-i18next';
import { formatAddress, parseAddress, type Address } from '../../../shared/keys/address.ts';
import { crumbsOf, type Crumb } from '../../../shared/keys/paths.ts';
import { useLocalName } from '../../rpc/root-names.ts';
import { dropPlace, localDropPlace, type DropSpot } from '../../ui/drop/drop-place.ts';
import { useNameInPane } from '../../ui/keyboard/active-pane.ts';
import { KeyText } from '../../ui/cells/key-text.tsx';
import { giveKeyboardBack, isKeyboardNowhere } from '../../ui/keyboard/keyboard-place.ts';
import { holdMainPane } from '../../ui/keyboard/panes.ts';
import { withKeys } from '../../ui/keyboard/commands.ts';
import {
  connectionOf,
  folderPlace,
  type FolderWindowPlace,
  type LocalWindowPlace,
  type WindowPlace,
} from '../places/places.ts';
import { SiblingsMenu, type Segment } from './siblings-menu.tsx';
import classes from './path-bar.module.css';

/** The handlers of the window's commands for the path. */
export interface PathHandle {
  /** Opens the menu of siblings of the folder, bucket or connection on the screen. */
  showSiblings(): void;
}

interface PathBarProps {
  readonly ref?: Ref<PathHandle>;
  readonly place: WindowPlace;
  readonly connectionName: string | null;
  readonly isEditing: boolean;
  readonly onEdit: (editing: boolean) => void;
  readonly onGo: (place: WindowPlace) => void;
  /** Finds the place out and opens it; the field is left as that is drawn. */
  readonly onAddress: (address: Address, leave: () => void) => Promise<void>;
}

/** Where this tab is: crumbs to click, or the path to type. */
export function PathBar(props: PathBarProps) {
  const { isEditing } = props;
  // The crumbs stay while a path is typed: what comes new into the window when a folder opens holds up its rows.
  return (
    <>
      {isEditing ? <PathField {...props} /> : null}
      <Crumbs {...props} />
    </>
  );
}

function Crumbs({ ref, place, connectionName, isEditing, onEdit, onGo }: PathBarProps) {
  const { t } = useTranslation();
  const label = useNameInPane(t('objects.path.label'));
  /** The segment whose menu of siblings is open: a folder's prefix, '' for the bucket; null for the connection. */
  const [beside, setBeside] = useState<{ readonly of: string | null } | null>(null);
  /** The element that had the focus before the menu; Escape returns the focus to it. */
  const before = useRef<HTMLElement | null>(null);
  const show = (of: string | null): void => {
    const active = document.activeElement;
    before.current = active instanceof HTMLElement && !isKeyboardNowhere() ? active : null;
    setBeside({ of });
  };
  const hide = (): void => {
    setBeside(null);
    giveKeyboardBack(before.current);
  };
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
          onOpen={(open) => {
            if (open) show(of);
            else hide();
          }}
          onGo={(next) => {
            setBeside(null);
            // The chosen entry has the keyboard and goes with its menu.
            holdMainPane();
            onGo(next);
          }}
        />
      ),
      onMenu: () => {
        show(of);
      },
    };
  };
  return (
    <nav aria-label={label} className={classes.bar} hidden={isEditing}>
      {/* A click beside the crumbs is a short way to the field; the keyboard has the button and its shortcut. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <div
        className={classes.crumbs}
        onClick={(event) => {
          if (event.target === event.currentTarget) onEdit(true);
        }}
      >
        {connectionName === null || place.kind === 'start' || place.kind === 'local' ? null : (
          <ConnectionCrumb
            isCurrent={place.kind === 'connection'}
            name={connectionName}
            segment={siblings({ kind: 'connection', connectionId: place.connectionId }, connectionName)}
            onClick={() => {
              onGo({ kind: 'connection', connectionId: place.connectionId });
            }}
          />
        )}
        {place.kind === 'local' ? <LocalCrumbs place={place} onGo={onGo} /> : null}
        {place.kind === 'folder' ? <FolderCrumbs place={place} onGo={onGo} siblings={siblings} /> : null}
        {place.kind === 'uploads' ? (
          <PageCrumbs place={place} title={t('entries.uploads.title')} onGo={onGo} />
        ) : null}
        {place.kind === 'search' ? (
          <PageCrumbs place={place} title={t('entries.search.title')} onGo={onGo} />
        ) : null}
      </div>
      <EditPath onEdit={onEdit} />
    </nav>
  );
}

interface SegmentMenu {
  /** The sign before the segment, which opens the menu. */
  readonly menu: ReactNode;
  readonly onMenu: () => void;
}

interface ConnectionCrumbProps {
  readonly isCurrent: boolean;
  readonly name: string;
  readonly segment: SegmentMenu;
  readonly onClick: () => void;
}

function ConnectionCrumb({ isCurrent, name, segment, onClick }: ConnectionCrumbProps) {
  return (
    <>
      {segment.menu}
      <CrumbButton isCurrent={isCurrent} onMenu={segment.onMenu} onClick={onClick}>
        <Server size={14} aria-hidden />
        <bdi>{name}</bdi>
      </CrumbButton>
    </>
  );
}

const EditPath = memo(function EditPath({ onEdit }: Pick<PathBarProps, 'onEdit'>) {
  const { t } = useTranslation();
  return (
    <Tooltip label={withKeys(t('objects.path.edit'), 'editPath')}>
      <ActionIcon
        size="sm"
        aria-label={t('objects.path.edit')}
        onClick={() => {
          onEdit(true);
        }}
      >
        <PencilLine size={14} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
});

const shownAtEnd = 3;
const shownInAll = 5;

interface FolderCrumbsProps {
  readonly place: FolderWindowPlace;
  readonly onGo: (place: WindowPlace) => void;
  readonly siblings: (segment: Segment, name: string) => SegmentMenu;
}

function FolderCrumbs({ place, onGo, siblings }: FolderCrumbsProps) {
  const { t } = useTranslation();
  const crumbs = crumbsOf(place.folder);
  const hidden = crumbs.length > shownInAll ? crumbs.slice(1, -shownAtEnd) : [];
  const first = hidden.length === 0 ? crumbs : crumbs.slice(0, 1);
  const last = hidden.length === 0 ? [] : crumbs.slice(-shownAtEnd);
  const open = (folder: string): void => {
    onGo({ ...place, folder, startsWith: '' });
  };
  const { connectionId, bucket } = place;
  const menuOf = (prefix: string, name: string): SegmentMenu =>
    siblings({ kind: 'folder', connectionId, bucket, prefix }, name);
  const bucketMenu = menuOf('', bucket);
  const crumb = ({ name, folder }: Crumb): ReactNode => (
    <Fragment key={folder}>
      {menuOf(folder, name).menu}
      <CrumbButton
        isCurrent={folder === place.folder}
        drop={{ kind: 'bucket', place: { ...place, folder } }}
        onMenu={menuOf(folder, name).onMenu}
        onClick={() => {
          open(folder);
        }}
      >
        <KeyText name={name} />
      </CrumbButton>
    </Fragment>
  );
  return (
    <>
      {bucketMenu.menu}
      <CrumbButton
        isCurrent={place.folder === ''}
        drop={{ kind: 'bucket', place: { ...place, folder: '' } }}
        onMenu={bucketMenu.onMenu}
        onClick={() => {
          open('');
        }}
      >
        <KeyText name={place.bucket} />
      </CrumbButton>
      {first.map(crumb)}
      {hidden.length === 0 ? null : (
        <>
          <Slash />
          <Menu>
            <Menu.Target>
              <ActionIcon size="sm" aria-label={t('objects.path.hidden')}>
                <Ellipsis size={14} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {hidden.map(({ name, folder }) => (
                <Menu.Item
                  key={folder}
                  onClick={() => {
                    open(folder);
                  }}
                >
                  <KeyText name={name} />
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        </>
      )}
      {last.map(crumb)}
    </>
  );
}

/** The way to a folder of this computer. */
function LocalCrumbs({
  place,
  onGo,
}: {
  readonly place: LocalWindowPlace;
  readonly onGo: (place: WindowPlace) => void;
}) {
  const { t } = useTranslation();
  const localName = useLocalName();
  const { trail } = place;
  return (
    <>
      <CrumbButton
        isCurrent={trail.length === 0}
        onClick={() => {
          onGo({ ...place, trail: [] });
        }}
      >
        <HardDrive size={14} aria-hidden />
        <bdi>{t('files.computer')}</bdi>
      </CrumbButton>
      {trail.map((folder, at) => (
        // The same folder may stand in it twice, where a link leads back.
        // oxlint-disable-next-line react/no-array-index-key
        <Fragment key={at}>
          <Slash />
          <CrumbButton
            isCurrent={at === trail.length - 1}
            drop={{ kind: 'local', folder }}
            onClick={() => {
              onGo({ ...place, trail: trail.slice(0, at + 1) });
            }}
          >
            <KeyText name={localName(folder)} />
          </CrumbButton>
        </Fragment>
      ))}
    </>
  );
}

interface PageCrumbsProps {
  readonly place: Extract<WindowPlace, { kind: 'uploads' | 'search' }>;
  readonly title: string;
  readonly onGo: (place: WindowPlace) => void;
}

/** A page about a folder, such as its stalled uploads. */
function PageCrumbs({ place, title, onGo }: PageCrumbsProps) {
  const { connectionId, bucket, prefix } = place;
  return (
    <>
      {bucket === null ? null : (
        <>
          <Slash />
          <CrumbButton
            isCurrent={false}
            onClick={() => {
              onGo(folderPlace(connectionId, bucket, prefix));
            }}
          >
            <KeyText name={bucket + (prefix === '' ? '' : `/${prefix}`)} />
          </CrumbButton>
        </>
      )}
      <Slash />
      <CrumbButton
        isCurrent
        onClick={() => {
          onGo(place);
        }}
      >
        {title}
      </CrumbButton>
    </>
  );
}

function Slash() {
  return <ChevronRight size={13} aria-hidden className={classes.slash} />;
}

interface CrumbButtonProps {
  readonly isCurrent: boolean;
  /** Its folder, if rows can be dropped on it. */
  readonly drop?: DropSpot;
  /** The arrow down: its siblings. */
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
      className={classes.crumb}
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

const slowMs = 150;

function PathField({ place, onEdit, onAddress }: PathBarProps) {
  const { t } = useTranslation();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(() =>
    place.kind === 'folder'
      ? formatAddress({ bucket: place.bucket, prefix: place.folder + place.startsWith })
      : '',
  );
  const [isWrong, setWrong] = useState(false);
  const [isLooking, setLooking] = useState(false);
  const submitted = useRef(false);
  useEffect(() => {
    field.current?.select();
  }, []);
  const submit = async (): Promise<void> => {
    const address = parseAddress(text);
    setWrong(address === null);
    if (address === null) return;
    submitted.current = true;
    // Most addresses need no looking up; drawing a wheel for those would only delay their request.
    const slow = setTimeout(setLooking, slowMs, true);
    await onAddress(address, () => {
      clearTimeout(slow);
      // Rows that are drawn before the field has gone must find the keyboard free.
      field.current?.blur();
      onEdit(false);
    });
  };
  return (
    <TextInput
      ref={field}
      value={text}
      aria-label={t('objects.path.field')}
      placeholder={t('objects.path.field')}
      error={isWrong ? t('objects.path.invalid') : null}
      spellCheck={false}
      autoComplete="off"
      className={classes.field ?? ''}
      rightSection={isLooking ? <Loader size={14} aria-label={t('objects.path.looking')} /> : null}
      onChange={(event) => {
        setText(event.currentTarget.value);
        setWrong(false);
      }}
      onBlur={() => {
        if (!submitted.current) onEdit(false);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') void submit();
        if (event.key === 'Escape') onEdit(false);
      }}
    />
  );
}
