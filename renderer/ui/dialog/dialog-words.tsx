import { TriangleAlert } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import common from '../common.module.css';

export function Sentence({ children }: { readonly children: ReactNode }) {
  return <p className={common.sentence}>{children}</p>;
}

interface WarningProps {
  readonly title?: string;
  readonly children: ReactNode;
}

/** A note to read before continuing. */
export function Warning({ title, children }: WarningProps) {
  return (
    <div className={common.warning}>
      <WarningBody title={title}>{children}</WarningBody>
    </div>
  );
}

/** A warning that appears in an open dialog and may change the user's decision, so it takes focus and scrolls into view. */
export function LiveWarning({ title, children }: WarningProps) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    ref.current?.focus({ preventScroll: true });
    ref.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div className={common.warning} role="alert" tabIndex={-1} ref={ref}>
      <WarningBody title={title}>{children}</WarningBody>
    </div>
  );
}

interface WarningBodyProps {
  readonly title: string | undefined;
  readonly children: ReactNode;
}

function WarningBody({ title, children }: WarningBodyProps) {
  return (
    <>
      <TriangleAlert size={16} aria-hidden />
      <div>
        {title === undefined ? null : <p className={common.warningTitle}>{title}</p>}
        {children}
      </div>
    </>
  );
}
