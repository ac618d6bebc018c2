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
  type LucideIcon,
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
import { isDocumentName } from '../../../../shared/keys/document-kind.ts';
import { desktopBridge } from '../../../rpc/message-port.ts';
import { keysOf } from '../../../ui/keyboard/commands.ts';
import { formatCount } from '../../../ui/words/format.ts';
import type { AboutActions } from './about-actions.ts';
import type { FolderActions } from './folder-actions.ts';
import type { CopyKind } from './object-actions.ts';
import type { FolderRow } from '../rows/row.ts';
import { copyForms, type CopyAs } from './use-copy-as.tsx';

export interface MenuEntry {
  readonly id: string;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly keys?: string | undefined;
  readonly isDanger?: boolean;
  readonly run: () => void;
}

/** A submenu. */
export interface MenuFolder {
  readonly id: string;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly entries: readonly MenuEntry[];
}

export interface MenuWishes {
  readonly selected: readonly FolderRow[];
  readonly actions: FolderActions;
  readonly about: AboutActions;
  readonly onOpen: (row: FolderRow, inNewTab: boolean) => void;
  readonly onLook: () => void;
  /** For selected objects whose thumbnails are made only on request; null: there are none. */
  readonly onThumbnails: (() => void) | null;
  readonly onCopy: (kind: CopyKind) => void;
  readonly copyAs: Pick<CopyAs, 'copy' | 'changePublic'>;
  readonly onDetails: () => void;
  readonly onSelectAll: () => void;
  readonly onReload: () => void;
}

/** The entries of the row menu for the selection; built when it opens. */
export function menuGroups(
  wishes: MenuWishes,
  t: TFunction,
): readonly (readonly (MenuEntry | MenuFolder)[])[] {
  const { selected, actions } = wishes;
  const download = {
    id: 'download',
    label: t(selected.length === 0 ? 'transfers.downloadFolder' : 'transfers.download'),
    icon: Download,
    keys: keysOf('download'),
    run: actions.download,
  };
  if (selected.length === 0)
    return [
      walkEntries(wishes, t),
      changeEntries(wishes, t),
      [download, ...uploadEntries(wishes, t)],
      viewEntries(wishes, t),
    ];
  return [
    openEntries(wishes, t),
    walkEntries(wishes, t),
    [download, ...browserEntries(wishes, t)],
    changeEntries(wishes, t),
    aboutEntries(wishes, t),
    addressEntries(wishes, t),
  ];
}

/** A browser downloads one object at a time; several, and folders, are downloaded into a folder of this computer. */
function browserEntries({ selected, actions }: MenuWishes, t: TFunction): readonly MenuEntry[] {
  const run = actions.downloadInBrowser;
  if (run === null || selected.length !== 1 || selected[0]?.kind !== 'object') return [];
  return [{ id: 'download-browser', label: t('transfers.downloadInBrowser'), icon: Globe, run }];
}

/** Entries that add to this folder; hidden while rows are selected. */
function uploadEntries({ actions }: MenuWishes, t: TFunction): readonly MenuEntry[] {
  return [
    {
      id: 'upload-files',
      label: t('transfers.uploadFiles'),
      icon: FileUp,
      keys: keysOf('uploadFiles'),
      run: actions.uploadFiles,
    },
    { id: 'upload-folder', label: t('transfers.uploadFolder'), icon: FolderUp, run: actions.uploadFolder },
    {
      id: 'upload-options',
      label: t('transfers.options.menu'),
      icon: SlidersHorizontal,
      run: actions.uploadWithOptions,
    },
    {
      id: 'new-folder',
      label: t('operations.menu.newFolder'),
      icon: FolderPlus,
      keys: keysOf('newFolder'),
      run: actions.newFolder,
    },
  ];
}

function viewEntries({ onSelectAll, onReload }: MenuWishes, t: TFunction): readonly MenuEntry[] {
  return [
    {
      id: 'select-all',
      label: t('objects.menu.selectAll'),
      icon: ListChecks,
      keys: keysOf('selectAll'),
      run: onSelectAll,
    },
    { id: 'reload', label: t('objects.menu.reload'), icon: RotateCw, keys: keysOf('reload'), run: onReload },
  ];
}

function openEntries(
  { selected, actions, onOpen, onLook, onThumbnails, onDetails }: MenuWishes,
  t: TFunction,
): readonly MenuEntry[] {
  if (selected.length === 0) return [];
  const [only] = selected.length === 1 ? selected : [];
  const details = {
    id: 'details',
    label: t('objects.menu.details'),
    icon: Info,
    keys: keysOf('toggleDetails'),
    run: onDetails,
  };
  const thumbnails =
    onThumbnails === null
      ? []
      : [{ id: 'thumbnails', label: t('objects.menu.thumbnails'), icon: Image, run: onThumbnails }];
  if (only === undefined) return [...thumbnails, details];
  const open = (inNewTab: boolean) => () => {
    onOpen(only, inNewTab);
  };
  if (only.kind === 'object')
    return [
      { id: 'preview', label: t('objects.menu.preview'), icon: Eye, keys: keysOf('open'), run: open(false) },
      { id: 'look', label: t('objects.menu.look'), icon: ScanEye, keys: keysOf('look'), run: onLook },
      // Only the desktop app can hand a file to another program.
      ...(desktopBridge() !== null && isDocumentName(only.key)
        ? [{ id: 'edit', label: t('edits.open'), icon: SquareArrowOutUpRight, run: actions.openAndEdit }]
        : []),
      ...thumbnails,
      details,
    ];
  return [
    { id: 'open', label: t('objects.menu.open'), icon: FolderOpen, keys: keysOf('open'), run: open(false) },
    {
      id: 'tab',
      label: t('objects.menu.openInTab'),
      icon: SquarePlus,
      keys: keysOf('openInTab'),
      run: open(true),
    },
    details,
  ];
}

/** Work over everything below a folder: the chosen one, or this one. */
function walkEntries({ selected, actions }: MenuWishes, t: TFunction): readonly MenuEntry[] {
  const [first, ...others] = selected;
  if (others.length > 0 || first?.kind === 'object') return [];
  return [
    {
      id: 'search',
      label: t('entries.search.here'),
      icon: Search,
      keys: keysOf('search'),
      run: actions.search,
    },
    { id: 'folder-size', label: t('entries.search.sizeOf.menu'), icon: ChartBarBig, run: actions.folderSize },
  ];
}

/** Copies, moves and deletions, and what is pasted into this folder. */
function changeEntries({ selected, actions }: MenuWishes, t: TFunction): readonly MenuEntry[] {
  const paste = {
    id: 'paste',
    label: t('operations.menu.paste'),
    icon: ClipboardPaste,
    keys: keysOf('paste'),
    run: actions.paste,
  };
  if (selected.length === 0) return [paste];
  const rename = {
    id: 'rename',
    label: t('operations.menu.rename'),
    icon: SquarePen,
    keys: keysOf('rename'),
    run: actions.rename,
  };
  return [
    { id: 'cut', label: t('operations.menu.cut'), icon: Scissors, keys: keysOf('cut'), run: actions.cut },
    { id: 'copy', label: t('operations.menu.copy'), icon: Copy, keys: keysOf('copy'), run: actions.copy },
    paste,
    { id: 'copy-to', label: t('operations.menu.copyTo'), icon: FolderInput, run: actions.copyTo },
    { id: 'move-to', label: t('operations.menu.moveTo'), icon: FolderOutput, run: actions.moveTo },
    ...(selected.length === 1 || selected.every(({ kind }) => kind === 'object') ? [rename] : []),
    {
      id: 'delete',
      label: t('operations.menu.delete'),
      icon: Trash2,
      keys: keysOf('remove'),
      isDanger: true,
      run: actions.remove,
    },
  ];
}

/** Properties of the selection; versions and a link apply to one object. */
function aboutEntries({ selected, about }: MenuWishes, t: TFunction): readonly MenuEntry[] {
  if (selected.length === 0) return [];
  const properties = {
    id: 'properties',
    label: t('entries.properties.open'),
    icon: SlidersHorizontal,
    keys: keysOf('properties'),
    run: about.properties,
  };
  const manifest = {
    id: 'manifest',
    label: t('entries.manifest.save'),
    icon: ListChecks,
    run: about.manifest,
  };
  if (selected.length > 1 || selected[0]?.kind !== 'object') return [properties, manifest];
  return [
    properties,
    manifest,
    { id: 'versions', label: t('entries.versions.ofObject'), icon: History, run: about.versions },
    { id: 'link', label: t('entries.links.open'), icon: QrCode, run: about.link },
    ...(lastSegment(selected[0].key) === 'manifest.json'
      ? [{ id: 'inventory', label: t('entries.inventory.open'), icon: ChartPie, run: about.inventory }]
      : []),
  ];
}

/** The keys and addresses as text. */
function addressEntries(
  { selected, onCopy, copyAs }: MenuWishes,
  t: TFunction,
): readonly (MenuEntry | MenuFolder)[] {
  if (selected.length === 0) return [];
  const [only] = selected.length === 1 ? selected : [];
  const entry = (kind: CopyKind, label: string): MenuEntry => ({
    id: kind,
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

/** The key and its addresses, then the forms for public access and for other programs. A link applies to an object. */
function copyFolder(
  { kind, key }: FolderRow,
  firstEntries: readonly MenuEntry[],
  copyAs: MenuWishes['copyAs'],
  t: TFunction,
): MenuFolder {
  const { copy, changePublic } = copyAs;
  const entries = copyForms
    .filter((form) => kind === 'object' || form === 'aws' || form === 'rclone')
    .map((form) => ({
      id: form,
      label: t(`objects.copyAs.${form}`),
      icon: form === 'publicUrl' ? Globe : SquareTerminal,
      run: () => {
        copy(form, key);
      },
    }));
  const all = [...firstEntries, ...entries];
  const change = { id: 'change-public', label: t('objects.copyAs.change'), icon: SquarePen };
  return {
    id: 'copy-as',
    label: t('objects.copyAs.menu'),
    icon: Link,
    entries: changePublic === null ? all : [...all, { ...change, run: changePublic }],
  };
}
