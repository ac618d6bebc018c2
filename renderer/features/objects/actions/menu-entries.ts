import type { TFunction } from 'i18next';
import {
  ChartBarBig,
  ChartPie,
  ClipboardPaste,
  Copy,
  Download,
  Eye,
  FileUp,
  FolderInput,
  FolderOpen,
  FolderOutput,
  FolderPlus,
  FolderUp,
  Globe,
  History,
  Image,
  Info,
  Link,
  ListChecks,
  QrCode,
  RotateCw,
  ScanEye,
  Scissors,
  Search,
  SlidersHorizontal,
  SquareArrowOutUpRight,
  SquarePen,
  SquarePlus,
  SquareTerminal,
  Trash2,
} from 'lucide-react';
import { lastSegment } from '../../../../shared/keys/paths.ts';
import { isDocumentName } from '../../../../shared/keys/file-kind.ts';
import { desktopBridge } from '../../../rpc/message-port.ts';
import { type MenuEntry, type MenuGroup, menuEntry } from '../../../ui/menus.tsx';
import { formatCount } from '../../../ui/words/format.ts';
import type { CopyKind, FolderActions } from './folder-actions.ts';
import type { FolderRow } from '../rows/row.ts';
import { copyForms, type CopyAs } from './use-copy-as.tsx';

export interface RowMenuOptions {
  readonly selected: readonly FolderRow[];
  readonly actions: FolderActions;
  readonly onOpen: (row: FolderRow, inNewTab: boolean) => void;
  readonly onLook: () => void;
  /** Makes thumbnails of selected objects whose thumbnails are only made on request. Null if no such object is selected. */
  readonly onThumbnails: (() => void) | null;
  readonly onCopy: (kind: CopyKind) => void;
  readonly copyAs: Pick<CopyAs, 'copy' | 'changePublic'>;
  readonly onDetails: () => void;
  /** The entries that only search results have. Absent in a folder, which rows can also be pasted into. */
  readonly found?: MenuGroup;
  readonly onSelectAll: () => void;
  readonly onReload: () => void;
}

/** Returns the entries of the row menu for the selection. */
export function menuGroups(options: RowMenuOptions, t: TFunction): readonly MenuGroup[] {
  const { selected, actions } = options;
  const download: MenuEntry = menuEntry(
    t(selected.length === 0 ? 'transfers.downloadFolder' : 'transfers.download'),
    Download,
    actions.download,
    { command: 'download' },
  );
  if (selected.length === 0)
    return [
      walkEntries(options, t),
      changeEntries(options, t),
      [download, ...uploadEntries(options, t)],
      viewEntries(options, t),
    ];
  return [
    openEntries(options, t),
    options.found ?? [],
    walkEntries(options, t),
    [download, ...browserEntries(options, t), ...dragEntries(options, t)],
    changeEntries(options, t),
    aboutEntries(options, t),
    addressEntries(options, t),
  ];
}

/** Offers the browser's download for one object. Several objects and folders can only be downloaded into a local folder. */
function browserEntries({ selected, actions }: RowMenuOptions, t: TFunction): MenuGroup {
  const run = actions.downloadInBrowser;
  if (run === null || selected.length !== 1 || selected[0]?.kind !== 'object') return [];
  return [menuEntry(t('transfers.downloadInBrowser'), Globe, run)];
}

/** Returns the entry that fetches objects for a drag on the desktop, where the system can drag only files. */
function dragEntries({ selected, actions }: RowMenuOptions, t: TFunction): MenuGroup {
  const run = actions.fetchForDrag;
  if (run === null || selected.some(({ kind }) => kind !== 'object')) return [];
  return [menuEntry(t('transfers.fetchForDrag'), SquareArrowOutUpRight, run)];
}

/** Returns the entries that add to this folder. They are hidden while rows are selected. */
function uploadEntries({ actions }: RowMenuOptions, t: TFunction): MenuGroup {
  return [
    menuEntry(t('transfers.uploadFiles'), FileUp, actions.uploadFiles, { command: 'uploadFiles' }),
    menuEntry(t('transfers.uploadFolder'), FolderUp, actions.uploadFolder),
    menuEntry(t('transfers.options.menu'), SlidersHorizontal, actions.uploadWithOptions),
    menuEntry(t('operations.menu.newFolder'), FolderPlus, actions.newFolder, { command: 'newFolder' }),
  ];
}

function viewEntries({ onSelectAll, onReload }: RowMenuOptions, t: TFunction): MenuGroup {
  return [
    menuEntry(t('objects.menu.selectAll'), ListChecks, onSelectAll, { command: 'selectAll' }),
    menuEntry(t('objects.menu.reload'), RotateCw, onReload, { command: 'reload' }),
  ];
}

function openEntries(
  { selected, actions, onOpen, onLook, onThumbnails, onDetails }: RowMenuOptions,
  t: TFunction,
): MenuGroup {
  const [only] = selected.length === 1 ? selected : [];
  const details: MenuEntry = menuEntry(t('objects.menu.details'), Info, onDetails, {
    command: 'toggleDetails',
  });
  const thumbnails = onThumbnails !== null && menuEntry(t('objects.menu.thumbnails'), Image, onThumbnails);
  if (only === undefined) return [thumbnails, details];
  const open = (inNewTab: boolean) => () => onOpen(only, inNewTab);
  if (only.kind === 'object')
    return [
      menuEntry(t('objects.menu.preview'), Eye, open(false), { command: 'open' }),
      menuEntry(t('objects.menu.look'), ScanEye, onLook, { command: 'look' }),
      // Only the desktop app can hand a file to another program.
      desktopBridge() !== null &&
        isDocumentName(only.key) &&
        menuEntry(t('edits.open'), SquareArrowOutUpRight, actions.openAndEdit),
      thumbnails,
      details,
    ];
  return [
    menuEntry(t('objects.menu.open'), FolderOpen, open(false), { command: 'open' }),
    menuEntry(t('objects.menu.openInTab'), SquarePlus, open(true), { command: 'openInTab' }),
    details,
  ];
}

/**
 * Returns the entries that search or measure everything below the selected folder, or below the open folder without a selection.
 */
function walkEntries({ selected, actions }: RowMenuOptions, t: TFunction): MenuGroup {
  const [first, ...others] = selected;
  if (others.length > 0 || first?.kind === 'object') return [];
  return [
    menuEntry(t('entries.search.here'), Search, actions.search, { command: 'search' }),
    menuEntry(t('entries.search.sizeOf.menu'), ChartBarBig, actions.folderSize),
  ];
}

/** Returns the entries that copy, move, rename, delete and paste. */
function changeEntries({ selected, actions, found }: RowMenuOptions, t: TFunction): MenuGroup {
  const paste: MenuEntry = menuEntry(t('operations.menu.paste'), ClipboardPaste, actions.paste, {
    command: 'paste',
  });
  if (selected.length === 0) return [paste];
  const rename: MenuEntry = menuEntry(
    t(selected.length === 1 ? 'operations.menu.rename' : 'operations.menu.renameMany'),
    SquarePen,
    actions.rename,
    { command: 'rename' },
  );
  return [
    menuEntry(t('operations.menu.cut'), Scissors, actions.cut, { command: 'cut' }),
    menuEntry(t('operations.menu.copy'), Copy, actions.copy, { command: 'copy' }),
    found === undefined && paste,
    menuEntry(t('operations.menu.copyTo'), FolderInput, actions.copyTo),
    menuEntry(t('operations.menu.moveTo'), FolderOutput, actions.moveTo),
    (selected.length === 1 || selected.every(({ kind }) => kind === 'object')) && rename,
    menuEntry(t('operations.menu.delete'), Trash2, actions.remove, { command: 'remove', isDanger: true }),
  ];
}

/** Returns the entries for properties and, for one object, for versions and a link. */
function aboutEntries({ selected, actions: { about } }: RowMenuOptions, t: TFunction): MenuGroup {
  const properties: MenuEntry = menuEntry(t('entries.properties.open'), SlidersHorizontal, about.properties, {
    command: 'properties',
  });
  const manifest: MenuEntry = menuEntry(t('entries.manifest.save'), ListChecks, about.manifest);
  if (selected.length > 1 || selected[0]?.kind !== 'object') return [properties, manifest];
  return [
    properties,
    manifest,
    menuEntry(t('entries.versions.ofObject'), History, about.versions),
    menuEntry(t('entries.links.open'), QrCode, about.link),
    lastSegment(selected[0].key) === 'manifest.json' &&
      menuEntry(t('entries.inventory.open'), ChartPie, about.inventory),
  ];
}

/** Returns the entries that copy keys and addresses as text. */
function addressEntries({ selected, onCopy, copyAs }: RowMenuOptions, t: TFunction): MenuGroup {
  const [only] = selected.length === 1 ? selected : [];
  const entry = (kind: CopyKind, label: string) => menuEntry(label, Link, () => onCopy(kind));
  if (only === undefined)
    return [entry('key', t('objects.menu.copyKeys', { rows: formatCount(selected.length) }))];
  const entries = [
    entry('key', t(only.kind === 'folder' ? 'objects.copyAs.prefix' : 'objects.copyAs.key')),
    entry('s3Uri', t('objects.copyAs.s3Uri')),
    entry('httpsUrl', t('objects.copyAs.httpsUrl')),
  ];
  return [copyFolder(only, entries, copyAs, t)];
}

/** Returns the submenu "Copy as": key and addresses, then commands for other programs and, for an object, its public address. */
function copyFolder(
  { kind, key }: FolderRow,
  firstEntries: readonly MenuEntry[],
  copyAs: RowMenuOptions['copyAs'],
  t: TFunction,
): MenuGroup[number] {
  const { copy, changePublic } = copyAs;
  const entries = copyForms
    .filter((form) => kind === 'object' || form === 'aws' || form === 'rclone')
    .map((form) =>
      menuEntry(t(`objects.copyAs.${form}`), form === 'publicUrl' ? Globe : SquareTerminal, () =>
        copy(form, key),
      ),
    );
  const change =
    changePublic === null ? [] : [menuEntry(t('objects.copyAs.change'), SquarePen, changePublic)];
  return { label: t('objects.copyAs.menu'), icon: Link, entries: [...firstEntries, ...entries, ...change] };
}
