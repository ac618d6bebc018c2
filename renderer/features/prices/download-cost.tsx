import { Button, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { archiveClasses } from '../../../shared/models/storage-classes.ts';
import { downloadCost, isUnknown, smallestSizes } from '../../../shared/pricing/cost.ts';
import { useHoldings, type ChosenToPrice, usePrices } from '../../rpc/use-prices.ts';
import { formatDate } from '../../ui/words/format.ts';
import { InfoTip } from '../../ui/icon-button.tsx';
import { costText, includedText, missingText } from '../../ui/words/money.ts';
import { openPriceDialog } from './price-dialogs.ts';

interface DownloadCostProps {
  readonly of: ChosenToPrice;
  /** Shows the map of the folder, which counts the folder. */
  readonly onCount: () => void;
}

/** Shows the cost of downloading the selection in the details. Renders nothing without prices. */
export function DownloadCost({ of, onCount }: DownloadCostProps) {
  const { t } = useTranslation();
  const { connectionId, bucket } = of;
  const prices = usePrices(connectionId, bucket);
  const list = prices?.list ?? null;
  const smallest = useMemo(() => (list === null ? null : smallestSizes(list)), [list]);
  const holdingsResult = useHoldings(of, smallest);
  if (prices === null || list === null || holdingsResult.kind === 'reading') return null;
  if (holdingsResult.kind === 'unknown')
    return (
      <Text size="sm" c="dimmed" mt="xs">
        {t('prices.download.uncounted')}{' '}
        <Button size="compact-xs" variant="subtle" onClick={onCount}>
          {t('prices.download.count')}
        </Button>
      </Text>
    );
  const cost = downloadCost(list, holdingsResult.holdings);
  const hasArchived = holdingsResult.holdings.some(({ storageClass }) => archiveClasses.has(storageClass));
  const notes = [
    isUnknown(cost) ? missingText([cost], t) : null,
    hasArchived ? t('prices.folder.archived') : null,
    holdingsResult.takenAt === null
      ? null
      : t('prices.change.asOf', { time: formatDate(holdingsResult.takenAt) }),
    includedText(list, ['traffic', 'reads'], t),
    prices.origin === 'example' ? t('prices.download.example') : null,
  ].filter((note) => note !== null);
  return (
    <Text size="sm" c="dimmed" mt="xs">
      {t('prices.download.line', { amount: costText(cost, list.currency, t) })} <InfoTip notes={notes} />
      <Button size="compact-xs" variant="subtle" onClick={() => openPriceDialog({ connectionId })}>
        {t('prices.open')}
      </Button>
    </Text>
  );
}
