import { largestTextBytes } from '../../../../shared/models/edits.ts';
import type { ViewerProps } from '../frame/viewer.ts';
import { LargeTextView } from './large-text-view.tsx';
import { WholeTextView } from './whole-text-view.tsx';

/** Shows text of any size. A small text is loaded whole, a larger one only around the screen. */
export function TextView({ file }: ViewerProps) {
  return file.source.sizeBytes <= largestTextBytes ? (
    <WholeTextView file={file} />
  ) : (
    <LargeTextView file={file} />
  );
}
