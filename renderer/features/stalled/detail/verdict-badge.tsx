import { Tooltip } from '@mantine/core';
import { AlignJustify, CircleAlert, CircleDashed, Pencil, SquareDashed, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { PartsSummary, Verdict } from '../../../../shared/models/stalled.ts';
import { joinClasses } from '../../../ui/class-names.ts';
import common from '../../../ui/common.module.css';
import { verdictBadge, verdictTone } from './verdict-words.ts';
import classes from '../stalled-list.module.css';

const icons = {
  unread: CircleDashed,
  'could-not-be-read': CircleAlert,
  'still-being-written': Pencil,
  empty: SquareDashed,
  'has-gaps': TriangleAlert,
  'has-small-parts': TriangleAlert,
  'no-gaps': AlignJustify,
} as const;

interface Props {
  readonly verdict: Verdict;
  readonly parts: Pick<PartsSummary, 'lastPartIsFull'> | null;
  /** True to make the badge a tab stop, for use outside tables. */
  readonly focusable?: boolean;
}

/** Shows the verdict on an upload in plain words, with an explanation on hover and focus. */
export function VerdictBadge({ verdict, parts, focusable = false }: Props) {
  const { t } = useTranslation();
  const { label, body } = verdictBadge(verdict, parts, t);
  const Icon = icons[verdict];
  return (
    <Tooltip
      label={body}
      multiline
      maw={300}
      events={{ hover: true, focus: true, touch: true }}
      openDelay={300}
    >
      <span
        className={joinClasses(common.hint, classes.badge)}
        data-tone={verdictTone[verdict]}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- its explanation is shown on focus
        tabIndex={focusable ? 0 : undefined}
      >
        <Icon size={12} aria-hidden />
        <span className={common.cut}>{label}</span>
        <span className="visually-hidden">. {body}</span>
      </span>
    </Tooltip>
  );
}
