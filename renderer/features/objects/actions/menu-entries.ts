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
import type { MenuEntry, MenuGroup } from '../../../ui/menus.tsx';
import { formatCount } from '../../../ui/words/format.ts';
import type { CopyKind, AboutActions, FolderActions } from './folder-actions.ts';
import type { FolderRow } from '../rows/row.ts';
import { copyForms, type CopyAs } from './use-copy-as.tsx';

export interface RowMenuOptions {
  readonly selected: readonly FolderRow[];
  readonly actions: FolderActions;
  readonly about: AboutActions;
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
  const download: MenuEntry = {
    label: t(selected.length === 0 ? 'transfers.downloadFolder' : 'transfers.download'),
    icon: Download,
    command: 'download',
    run: actions.download,
  };
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
  return [{ label: t('transfers.downloadInBrowser'), icon: Globe, run }];
}

/** Returns the entry that fetches objects for a drag on the desktop, where the system can drag only files. */
function dragEntries({ selected, actions }: RowMenuOptions, t: TFunction): MenuGroup {
  const run = actions.fetchForDrag;
  if (run === null || selected.some(({ kind }) => kind !== 'object')) return [];
  return [{ label: t('transfers.fetchForDrag'), icon: SquareArrowOutUpRight, run }];
}

/** Returns the entries that add to this folder. They are hidden while rows are selected. */
function uploadEntries({ actions }: RowMenuOptions, t: TFunction): MenuGroup {
  return [
    {
      label: t('transfers.uploadFiles'),
      icon: FileUp,
      command: 'uploadFiles',
      run: actions.uploadFiles,
    },
    { label: t('transfers.uploadFolder'), icon: FolderUp, run: actions.uploadFolder },
    {
      label: t('transfers.options.menu'),
      icon: SlidersHorizontal,
      run: actions.uploadWithOptions,
    },
    {
      label: t('operations.menu.newFolder'),
      icon: FolderPlus,
      command: 'newFolder',
      run: actions.newFolder,
    },
  ];
}

function viewEntries({ onSelectAll, onReload }: RowMenuOptions, t: TFunction): MenuGroup {
  return [
    {
      label: t('objects.menu.selectAll'),
      icon: ListChecks,
      command: 'selectAll',
      run: onSelectAll,
    },
    { label: t('objects.menu.reload'), icon: RotateCw, command: 'reload', run: onReload },
  ];
}

function openEntries(
  { selected, actions, onOpen, onLook, onThumbnails, onDetails }: RowMenuOptions,
  t: TFunction,
): MenuGroup {
  if (selected.length === 0) return [];
  const [only] = selected.length === 1 ? selected : [];
  const details: MenuEntry = {
    label: t('objects.menu.details'),
    icon: Info,
    command: 'toggleDetails',
    run: onDetails,
  };
  const thumbnails = onThumbnails !== null && {
    label: t('objects.menu.thumbnails'),
    icon: Image,
    run: onThumbnails,
  };
  if (only === undefined) return [thumbnails, details];
  const open = (inNewTab: boolean) => () => {
    onOpen(only, inNewTab);
  };
  if (only.kind === 'object')
    return [
      { label: t('objects.menu.preview'), icon: Eye, command: 'open', run: open(false) },
      { label: t('objects.menu.look'), icon: ScanEye, command: 'look', run: onLook },
      // Only the desktop app can hand a file to another program.
      desktopBridge() !== null &&
        isDocumentName(only.key) && {
          label: t('edits.open'),
          icon: SquareArrowOutUpRight,
          run: actions.openAndEdit,
        },
      thumbnails,
      details,
    ];
  return [
    { label: t('objects.menu.open'), icon: FolderOpen, command: 'open', run: open(false) },
    {
      label: t('objects.menu.openInTab'),
      icon: SquarePlus,
      command: 'openInTab',
      run: open(true),
    },
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
    {
      label: t('entries.search.here'),
      icon: Search,
      command: 'search',
      run: actions.search,
    },
    { label: t('entries.search.sizeOf.menu'), icon: ChartBarBig, run: actions.folderSize },
  ];
}

/** Returns the entries that copy, move, rename, delete and paste. */
function changeEntries({ selected, actions, found }: RowMenuOptions, t: TFunction): MenuGroup {
  const paste: MenuEntry = {
    label: t('operations.menu.paste'),
    icon: ClipboardPaste,
    command: 'paste',
    run: actions.paste,
  };
  if (selected.length === 0) return [paste];
  const rename: MenuEntry = {
    label: t(selected.length === 1 ? 'operations.menu.rename' : 'operations.menu.renameMany'),
    icon: SquarePen,
    command: 'rename',
    run: actions.rename,
  };
  return [
    { label: t('operations.menu.cut'), icon: Scissors, command: 'cut', run: actions.cut },
    { label: t('operations.menu.copy'), icon: Copy, command: 'copy', run: actions.copy },
    found === undefined && paste,
    { label: t('operations.menu.copyTo'), icon: FolderInput, run: actions.copyTo },
    { label: t('operations.menu.moveTo'), icon: FolderOutput, run: actions.moveTo },
    (selected.length === 1 || selected.every(({ kind }) => kind === 'object')) && rename,
    {
      label: t('operations.menu.delete'),
      icon: Trash2,
      command: 'remove',
      isDanger: true,
      run: actions.remove,
    },
  ];
}

/** Returns the entries for properties and, for one object, for versions and a link. */
function aboutEntries({ selected, about }: RowMenuOptions, t: TFunction): MenuGroup {
  if (selected.length === 0) return [];
  const properties: MenuEntry = {
    label: t('entries.properties.open'),
    icon: SlidersHorizontal,
    command: 'properties',
    run: about.properties,
  };
  const manifest: MenuEntry = {
    label: t('entries.manifest.save'),
    icon: ListChecks,
    run: about.manifest,
  };
  if (selected.length > 1 || selected[0]?.kind !== 'object') return [properties, manifest];
  return [
    properties,
    manifest,
    { label: t('entries.versions.ofObject'), icon: History, run: about.versions },
    { label: t('entries.links.open'), icon: QrCode, run: about.link },
    lastSegment(selected[0].key) === 'manifest.json' && {
      label: t('entries.inventory.open'),
      icon: ChartPie,
      run: about.inventory,
    },
  ];
}

/** Returns the entries that copy keys and addresses as text. */
function addressEntries({ selected, onCopy, copyAs }: RowMenuOptions, t: TFunction): MenuGroup {
  if (selected.length === 0) return [];
  const [only] = selected.length === 1 ? selected : [];
  const entry = (kind: CopyKind, label: string): MenuEntry => ({
    label,
    icon: Link,
    run: () => {
      onCopy(kind);
    },
  });
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
    .map((form) => ({
      label: t(`objects.copyAs.${form}`),
      icon: form === 'publicUrl' ? Globe : SquareTerminal,
      run: () => {
        copy(form, key);
      },
    }));
  const all = [...firstEntries, ...entries];
  const change = { label: t('objects.copyAs.change'), icon: SquarePen };
  return {
    label: t('objects.copyAs.menu'),
    icon: Link,
    entries: changePublic === null ? all : [...all, { ...change, run: changePublic }],
  };
}
