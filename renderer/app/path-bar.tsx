import { ActionIcon, Loader, Menu, TextInput, Tooltip } from '@mantine/core';
import { ChevronRight, Ellipsis, PencilLine, Server } from 'lucide-react';
import { Fragment, memo, useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatAddress, parseAddress, type Address } from '../../shared/keys/address.ts';
import { crumbsOf, type Crumb } from '../../shared/keys/paths.ts';
import { dropPlace, type DropPlace } from '../ui/drop-place.ts';
import { KeyText } from '../ui/key-text.tsx';
import { withKeys } from '../ui/commands.ts';
import { folderPlace, type FolderWindowPlace, type WindowPlace } from './places.ts';
import classes from './path-bar.module.css';

interface PathBarProps {
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

function Crumbs({ place, connectionName, isEditing, onEdit, onGo }: PathBarProps) {
  const { t } = useTranslation();
  return (
    <nav aria-label={t('objects.path.label')} className={classes.bar} hidden={isEditing}>
      {/* A click beside the crumbs is a short way to the field; the keyboard has the button and its shortcut. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <div
        className={classes.crumbs}
        onClick={(event) => {
          if (event.target === event.currentTarget) onEdit(true);
        }}
      >
        {connectionName === null ? null : (
          <CrumbButton
            isCurrent={place.kind === 'connection'}
            onClick={() => {
              if (place.kind !== 'start') onGo({ kind: 'connection', connectionId: place.connectionId });
            }}
          >
            <Server size={14} aria-hidden />
            <bdi>{connectionName}</bdi>
          </CrumbButton>
        )}
        {place.kind === 'folder' ? <FolderCrumbs place={place} onGo={onGo} /> : null}
        {place.kind === 'uploads' ? (
          <PageCrumbs place={place} title={t('uploads.title')} onGo={onGo} />
        ) : null}
        {place.kind === 'search' ? <PageCrumbs place={place} title={t('search.title')} onGo={onGo} /> : null}
      </div>
      <EditPath onEdit={onEdit} />
    </nav>
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

function FolderCrumbs({
  place,
  onGo,
}: {
  readonly place: FolderWindowPlace;
  readonly onGo: (place: WindowPlace) => void;
}) {
  const { t } = useTranslation();
  const crumbs = crumbsOf(place.folder);
  const hidden = crumbs.length > shownInAll ? crumbs.slice(1, -shownAtEnd) : [];
  const first = hidden.length === 0 ? crumbs : crumbs.slice(0, 1);
  const last = hidden.length === 0 ? [] : crumbs.slice(-shownAtEnd);
  const open = (folder: string): void => {
    onGo({ ...place, folder, startsWith: '' });
  };
  const crumb = ({ name, folder }: Crumb): ReactNode => (
    <Fragment key={folder}>
      <Slash />
      <CrumbButton
        isCurrent={folder === place.folder}
        drop={{ ...place, folder }}
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
      <Slash />
      <CrumbButton
        isCurrent={place.folder === ''}
        drop={{ ...place, folder: '' }}
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
  /** The folder it stands for, where rows can be dropped on it. */
  readonly drop?: DropPlace;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function CrumbButton({ isCurrent, drop, onClick, children }: CrumbButtonProps) {
  return (
    <button
      type="button"
      className={classes.crumb}
      aria-current={isCurrent ? 'location' : undefined}
      {...(drop === undefined ? {} : dropPlace(drop))}
      onClick={onClick}
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
