import { largestTextBytes } from '../../../../shared/models/edits.ts';
import type { ViewerProps } from '../frame/viewer.ts';
import { LargeTextView } from './large-text-view.tsx';
import { WholeTextView } from './whole-text-view.tsx';

/** Shows text of any size: small texts as a whole, larger ones in the part on the screen. */
export function TextView({ file }: ViewerProps) {
  return file.source.sizeBytes <= largestTextBytes ? (
    <WholeTextView file={file} />
  ) : (
    <LargeTextView file={file} />
  );
}
