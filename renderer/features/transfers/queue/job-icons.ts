import {
  ArrowDownToLine,
  ArrowUpToLine,
  CircleQuestionMark,
  Eraser,
  Eye,
  File,
  FileText,
  FolderOpen,
  KeyRound,
  Layers,
  Pause,
  Play,
  Replace,
  RotateCw,
  Search,
  Upload,
  X,
  type LucideIcon,
} from 'lucide-react';
import type { JobAction, Remedy } from './job-actions.ts';

export const actionIcons: Readonly<Record<JobAction, LucideIcon>> = {
  pause: Pause,
  resume: Play,
  retryNow: RotateCw,
  lookNow: Eye,
  runFirst: ArrowUpToLine,
  runLast: ArrowDownToLine,
  cancel: X,
  clear: Eraser,
};
/** The icon of each remedy, and the key of its label below `jobs.actions`. */
export const remedyFacts = {
  'answer-conflicts': { icon: CircleQuestionMark, messageKey: 'answerConflicts' },
  'edit-connection': { icon: KeyRound, messageKey: 'editConnection' },
  'give-file': { icon: File, messageKey: 'giveFile' },
  'open-upload': { icon: Layers, messageKey: 'openUpload' },
  replace: { icon: Replace, messageKey: 'replace' },
  'show-object': { icon: Search, messageKey: 'openObject' },
  'show-in-folder': { icon: FolderOpen, messageKey: 'showInFolder' },
  'upload-again': { icon: Upload, messageKey: 'uploadAgain' },
  'run-batch': { icon: Play, messageKey: 'runBatch' },
  'show-report': { icon: FileText, messageKey: 'showReport' },
} as const satisfies Readonly<Record<Remedy, { readonly icon: LucideIcon; readonly messageKey: string }>>;
