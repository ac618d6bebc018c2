import { largestTextBytes } from '../../../../shared/models/edits.ts';
import type { ViewerProps } from '../frame/viewer.ts';
import { LargeTextView } from './large-text-view.tsx';
import { WholeTextView } from './whole-text-view.tsx';

/** Text of any size: what is small enough to be edited as a whole, others in the part that is on the screen. */
export function TextView({ file }: ViewerProps) {
  return file.source.sizeBytes <= largestTextBytes ? (
    <WholeTextView file={file} />
  ) : (
    <LargeTextView file={file} />
  );
}
