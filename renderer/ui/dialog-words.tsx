import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './dialog-words.module.css';

export function Sentence({ children }: { readonly children: ReactNode }) {
  return <p className={classes.sentence}>{children}</p>;
}

/** Something to know before going on. */
export function Warning({ children }: { readonly children: ReactNode }) {
  return (
    <div className={classes.warning}>
      <TriangleAlert size={16} aria-hidden />
      <div>{children}</div>
    </div>
  );
}
