import { expect, it } from 'vitest';
import {
  priceDraftOf,
  emptyDraft,
  readPriceDraft,
  newClass,
  typedFigure,
} from '../../../../renderer/features/prices/price-form.ts';
import { priceListOf, shippedLists } from '../../../../shared/pricing/shipped.ts';

const nowMs = Date.parse('2026-11-24T08:00:00Z');

it('a shipped price list passes through the form unchanged', () => {
  for (const shipped of shippedLists) {
    const list = priceListOf(shipped);
    expect(readPriceDraft(priceDraftOf(list))).toEqual({ list, problems: [] });
  }
});

it("typed prices are dated today as the user's own, and empty ones stay unknown", () => {
  const draft = { ...emptyDraft('Mine'), currency: 'eur', trafficPerGb: typedFigure('0,05', nowMs) };
  const { list, problems } = readPriceDraft(draft);
  expect(problems).toEqual([]);
  expect(list.currency).toBe('EUR');
  expect(list.trafficPerGb).toEqual({ value: 0.05, date: '2026-11-24', source: '' });
  expect(list.classes).toEqual([{ storageClass: 'STANDARD', figures: {} }]);
});

it('text that is not a number is a fault of its figure and not a price', () => {
  const standard = newClass('STANDARD');
  const draft = {
    ...emptyDraft('Mine'),
    classes: [
      { ...standard, figures: { ...standard.figures, storagePerGbMonth: typedFigure('cheap', nowMs) } },
    ],
  };
  expect(readPriceDraft(draft).problems).toEqual([
    { fault: 'negative', storageClass: 'STANDARD', figure: 'storagePerGbMonth' },
  ]);
});
