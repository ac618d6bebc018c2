import type { ViewerProps } from '../frame/viewer.ts';
import { LargeTextView } from './large-text-view.tsx';
import { WholeTextView } from './whole-text-view.tsx';

/** Up to here a text is held as a whole, and can be edited. */
const mostWholeBytes = 5_000_000;

/** Text of any size: small ones as a whole, others in the part that is on the screen. */
export function TextView({ file }: ViewerProps) {
  return file.source.sizeBytes <= mostWholeBytes ? (
    <WholeTextView file={file} />
  ) : (
    <LargeTextView file={file} />
  );
}
