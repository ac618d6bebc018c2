import { Button } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConnectionPrices, PriceList } from '../../../shared/models/prices.ts';
import type { RestoreTier } from '../../../shared/models/properties.ts';
import { changeCost, isUnknown, restoreCost, smallestSizes } from '../../../shared/pricing/cost.ts';
import { smallestAs } from '../../../shared/pricing/holdings.ts';
import { archiveClasses } from '../../../shared/models/storage-classes.ts';
import { joinClasses } from '../../ui/class-names.ts';
import common from '../../ui/common.module.css';
import { formatDate } from '../../ui/words/format.ts';
import { costText, isTiny, missingText, moneyText, originText } from '../../ui/words/money.ts';
import { openPriceDialog } from '../prices/index.ts';
import type { PropertiesOf } from './use-properties.ts';
import { useHoldings, type Holdings, usePrices } from '../../rpc/use-prices.ts';
import classes from './properties.module.css';

interface ChangeNoteProps {
  readonly of: PropertiesOf;
  /** The new storage class. */
  readonly storageClass: string;
}

/** Shows the savings or costs of a change of storage class before it is made. */
export function ChangeNote({ of, storageClass }: ChangeNoteProps) {
  const { t } = useTranslation();
  const prices = usePrices(of.connectionId, of.bucket);
  const list = prices?.list ?? null;
  const now = useHoldings(of, useSmallest(list));
  const currentClasses =
    now.kind === 'known' ? [...new Set(now.holdings.map((holding) => holding.storageClass))].toSorted() : [];
  const then = useHoldings(of, list === null ? null : smallestAs(list, storageClass, currentClasses));
  const [nowMs] = useState(() => Date.now());
  if (prices === null) return null;
  return (
    <PriceNote of={of} prices={prices} label={t('prices.change.title')}>
      <strong>{t('prices.change.title')}</strong>
      {list === null ? null : (
        <ChangeWords list={list} now={now} then={then} storageClass={storageClass} nowMs={nowMs} />
      )}
    </PriceNote>
  );
}

function useSmallest(list: PriceList | null) {
  return useMemo(() => (list === null ? null : smallestSizes(list)), [list]);
}

interface ChangeWordsProps {
  readonly list: PriceList;
  readonly now: Holdings;
  readonly then: Holdings;
  readonly storageClass: string;
  readonly nowMs: number;
}

function ChangeWords({ list, now, then, storageClass, nowMs }: ChangeWordsProps) {
  const { t } = useTranslation();
  if (now.kind === 'unknown') return <p>{t('prices.change.uncounted')}</p>;
  if (now.kind === 'reading' || then.kind !== 'known') return <p>{t('prices.change.counting')}</p>;
  const cost = changeCost(list, now.holdings, storageClass, nowMs, then.holdings);
  const { before, after, once, restoreAmount, earlyAmount, paysBackMonths, smallestDays } = cost;
  if (isUnknown(before) || isUnknown(after))
    return (
      <p>
        {t('prices.change.unknown')} {missingText([before, after, once], t)}
      </p>
    );
  const money = (amount: number): string => moneyText(amount, list.currency, t);
  const saved = before.amount - after.amount;
  const words = {
    before: money(before.amount),
    after: costText(after, list.currency, t),
    amount: money(Math.abs(saved)),
  };
  return (
    <>
      <p>
        {isTiny(saved)
          ? t('prices.change.same', words)
          : t(saved > 0 ? 'prices.change.saves' : 'prices.change.costs', words)}{' '}
        {earlyAmount > 0
          ? t('prices.change.onceEarly', {
              amount: costText(once, list.currency, t),
              early: money(earlyAmount),
            })
          : t('prices.change.once', { amount: costText(once, list.currency, t) })}
      </p>
      <p>
        {[
          paysBackMonths === null
            ? null
            : paysBackMonths <= 1
              ? t('prices.change.paysBackSoon')
              : t('prices.change.paysBack', { count: Math.ceil(paysBackMonths) }),
          restoreAmount > 0 ? t('prices.change.restore', { amount: money(restoreAmount) }) : null,
          smallestDays > 0 ? t('prices.change.days', { count: smallestDays }) : null,
          missingText([before, after, once], t),
          now.takenAt === null ? null : t('prices.change.asOf', { time: formatDate(now.takenAt) }),
        ]
          .filter((line) => line !== null)
          .join(' ')}
      </p>
    </>
  );
}

interface RestoreNoteProps {
  readonly of: PropertiesOf;
  readonly tier: RestoreTier;
  readonly days: number;
}

/** Shows the cost of restored copies before they are requested. */
export function RestoreNote({ of, tier, days }: RestoreNoteProps) {
  const { t } = useTranslation();
  const prices = usePrices(of.connectionId, of.bucket);
  const list = prices?.list ?? null;
  const holdingsResult = useHoldings({ ...of, prefixes: [] }, useSmallest(list));
  if (prices === null) return null;
  return (
    <PriceNote of={of} prices={prices} label={t('prices.folder.title')}>
      {list === null || holdingsResult.kind !== 'known' ? null : (
        <RestoreWords
          list={list}
          cost={restoreCost(
            list,
            holdingsResult.holdings.filter(({ storageClass }) => archiveClasses.has(storageClass)),
            tier,
            days,
          )}
          days={days}
        />
      )}
    </PriceNote>
  );
}

interface RestoreWordsProps {
  readonly list: PriceList;
  readonly cost: ReturnType<typeof restoreCost>;
  readonly days: number;
}

function RestoreWords({ list, cost, days }: RestoreWordsProps) {
  const { t } = useTranslation();
  if (cost.missing.length > 0)
    return (
      <p>
        {t('prices.restore.unknown')} {missingText([cost], t)}
      </p>
    );
  if (cost.amount === 0) return <p>{t('prices.restore.free')}</p>;
  return (
    <p>
      {t('prices.restore.cost', {
        amount: costText(cost, list.currency, t),
        days: t('prices.restore.days', { count: days }),
      })}
    </p>
  );
}

interface PriceNoteProps {
  readonly of: PropertiesOf;
  readonly prices: ConnectionPrices;
  readonly label: string;
  readonly children: ReactNode;
}

/** Frames an estimate, above the origin of its prices and a button that opens them. */
function PriceNote({ of: { connectionId }, prices, label, children }: PriceNoteProps) {
  const { t } = useTranslation();
  return (
    <section className={joinClasses(common.numbers, common.framed, classes.cost)} aria-label={label}>
      {children}
      <p className={classes.costFoot}>
        {prices.list === null ? null : t('prices.estimate')} {originText(prices, ['storage', 'writes'], t)}{' '}
        <Button size="compact-xs" variant="subtle" onClick={() => openPriceDialog({ connectionId })}>
          {t(prices.list === null ? 'prices.enter' : 'prices.open')}
        </Button>
      </p>
    </section>
  );
}
