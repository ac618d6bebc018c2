import {
  Archive,
  Braces,
  File,
  FileAudio,
  FileImage,
  FileSpreadsheet,
  FileText,
  FileVideo,
  Folder,
  ScrollText,
  type LucideIcon,
} from 'lucide-react';
import { fileKind, type FileKind } from '../../../shared/keys/file-kind.ts';
import classes from './cells.module.css';

const icons: Readonly<Record<FileKind, LucideIcon>> = {
  archive: Archive,
  audio: FileAudio,
  code: Braces,
  document: FileText,
  file: File,
  image: FileImage,
  log: ScrollText,
  sheet: FileSpreadsheet,
  video: FileVideo,
};

/** An icon for a row, chosen only by the row's name. */
export function TypeIcon({ name, isFolder, size = 16 }: TypeIconProps) {
  if (isFolder) return <Folder size={size} aria-hidden className={classes.folderIcon} />;
  const kind = fileKind(name);
  const Icon = icons[kind];
  return <Icon size={size} aria-hidden className={classes.fileIcon} data-kind={kind} />;
}

interface TypeIconProps {
  readonly name: string;
  readonly isFolder: boolean;
  readonly size?: number;
}
