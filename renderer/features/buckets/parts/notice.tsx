import { CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import common from '../../../ui/common.module.css';

interface Props {
  readonly tone: 'quiet' | 'ok' | 'warning' | 'danger';
  readonly children: ReactNode;
}

const icons = { quiet: Info, ok: CircleCheck, warning: TriangleAlert, danger: TriangleAlert } as const;

/** A note among other content. */
export function Notice({ tone, children }: Props) {
  const Icon = icons[tone];
  return (
    <div className={common.callout} data-tone={tone}>
      <Icon size={16} aria-hidden />
      <div>{children}</div>
    </div>
  );
}
