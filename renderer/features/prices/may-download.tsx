import { Stack, Text } from '@mantine/core';
import type { TFunction } from 'i18next';
import { downloadCost, retrievalCost, smallestSizes, type Cost } from '../../../shared/pricing/cost.ts';
import { askToConfirm } from '../../ui/dialog/ask-to-confirm.tsx';
import { rpc } from '../../rpc/client.ts';
import { readHoldings, type ChosenToPrice, type FoundToPrice } from '../../rpc/use-prices.ts';
import { costText, originText } from '../../ui/words/money.ts';

/**
 * Returns the question to ask before a download whose estimated cost exceeds the limit in the settings, or whose storage class
 * charges for retrieval. Null if no question is needed or the cost is unknown. Calls `lookUp` only with known prices.
 */
export async function questionOf(
  { connectionId, bucket }: Pick<ChosenToPrice, 'connectionId' | 'bucket'>,
  lookUp: () => ToPrice | Promise<ToPrice>,
  t: TFunction,
): Promise<Question | null> {
  const prices = await rpc.prices.of({ connectionId, bucket });
  const { list, origin } = prices;
  // The price list of the sample service is only an example, so its downloads cost nothing.
  if (list === null || origin === 'example') return null;
  const holdingsResult = await readHoldings(await lookUp(), smallestSizes(list));
  if (holdingsResult.kind === 'unknown') return null;
  const cost = downloadCost(list, holdingsResult.holdings);
  const retrieval = retrievalCost(list, holdingsResult.holdings);
  const { downloadCostLimit } = await rpc.settings.get();
  if (cost.amount <= downloadCostLimit && retrieval.amount === 0) return null;
  return { cost, retrieval, currency: list.currency, prices: originText(prices, ['traffic'], t) };
}

type ToPrice = ChosenToPrice | FoundToPrice;

interface Question {
  readonly cost: Cost;
  readonly retrieval: Cost;
  readonly currency: string;
  readonly prices: string;
}

/** Asks the user whether the download may start at this cost. */
export async function mayDownload(
  { cost, retrieval, currency, prices }: Question,
  t: TFunction,
): Promise<boolean> {
  return await new Promise((resolve) => {
    askToConfirm(
      {
        title: t('prices.download.askTitle', { amount: costText(cost, currency, t) }),
        body: (
          <Stack gap="xs">
            {retrieval.amount === 0 ? null : (
              <Text size="sm">
                {t('prices.download.retrieval', { amount: costText(retrieval, currency, t) })}
              </Text>
            )}
            <Text size="sm">
              {t('prices.estimate')} {prices}
            </Text>
          </Stack>
        ),
        labels: { confirm: t('prices.download.confirm'), cancel: t('prices.download.cancel') },
        weight: 'heavy',
        onConfirm: () => resolve(true),
        onClose: () => resolve(false),
      },
      t,
    );
  });
}
