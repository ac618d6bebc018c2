import { Archive, Bookmark } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { assertNever } from '../../../../shared/assert-never.ts';
import type { BucketItem } from '../../../../shared/models/objects.ts';
import { formatBytes, formatCount, formatExactBytes, formatExactDate } from '../../../ui/words/format.ts';
import { ShownTime } from '../../../ui/words/shown-time.tsx';
import { formatExactDateAndAge } from '../../../ui/words/span.ts';
import type { BucketColumn, BucketTotals } from '../model/bucket-filter.ts';
import common from '../../../ui/common.module.css';
import classes from '../connections.module.css';

interface CellProps {
  readonly column: BucketColumn;
  readonly bucket: BucketItem;
  readonly totals: BucketTotals | undefined;
}

/** One cell of a bucket's row. */
export function BucketCell({ column, bucket, totals }: CellProps) {
  const { t } = useTranslation();
  const unknown = t('connections.home.unknownDate');
  switch (column) {
    case 'name':
      return <Name bucket={bucket} />;
    case 'objects':
      return totals === undefined ? (
        unknown
      ) : (
        <Counted totals={totals} exact={t('connections.home.objects', { count: totals.objects })}>
          {formatCount(totals.objects)}
        </Counted>
      );
    case 'size':
      return totals === undefined ? (
        unknown
      ) : (
        <Counted totals={totals} exact={formatExactBytes(totals.sizeBytes)}>
          {formatBytes(totals.sizeBytes)}
        </Counted>
      );
    case 'region':
      return bucket.region ?? unknown;
    case 'created':
      return bucket.createdAt === null ? unknown : <ShownTime iso={bucket.createdAt} />;
    default:
      return assertNever(column);
  }
}

interface CountedProps {
  readonly totals: BucketTotals;
  readonly exact: string;
  readonly children: string;
}

/** Shows a number from a count of the bucket, with the time of the count in its tooltip. */
function Counted({ totals: { takenAt }, exact, children }: CountedProps) {
  const { t } = useTranslation();
  const titleOf = (time: string): string => `${exact}\n${t('connections.home.countedAt', { time })}`;
  return (
    <span
      title={titleOf(formatExactDate(takenAt))}
      onPointerEnter={(event) => {
        event.currentTarget.title = titleOf(formatExactDateAndAge(takenAt, Date.now()));
      }}
    >
      {children}
    </span>
  );
}

function Name({ bucket: { name, source } }: { readonly bucket: BucketItem }) {
  const { t } = useTranslation();
  return (
    <span className={classes.bucket} title={name}>
      <Archive size={16} aria-hidden className={classes.icon} />
      <span className={common.cut}>{name}</span>
      {source === 'typed' ? (
        <span className={classes.typed}>
          <Bookmark size={12} aria-hidden />
          {t('connections.sidebar.typedBadge')}
        </span>
      ) : null}
    </span>
  );
}
