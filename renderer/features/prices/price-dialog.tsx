import { Button, Flex, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { Plus, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  accountFigures,
  gbUnits,
  type ConnectionPrices,
  type GbUnit,
  type PriceList,
} from '../../../shared/models/prices.ts';
import type { PriceProblem } from '../../../shared/pricing/check.ts';
import { orpc, rpc } from '../../rpc/client.ts';
import { FailureNotice } from '../../rpc/failure-notice.tsx';
import { usePrices } from '../../rpc/use-prices.ts';
import type { DialogProps } from '../../ui/dialog/define-dialog.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { DiscardQuestion } from '../../ui/dialog/ask-to-confirm.tsx';
import { originText } from '../../ui/words/money.ts';
import {
  priceDraftOf,
  emptyDraft,
  readPriceDraft,
  newClass,
  type Draft,
  type DraftClass,
} from './price-form.ts';
import common from '../../ui/common.module.css';
import classes from './prices.module.css';
import { type ProblemOf, Figures, FigureField } from './price-figures.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { useLatestMutation } from '../../ui/use-stable.ts';

export interface PriceDialogServices {
  /** Returns the name of a connection, as the window shows it. */
  readonly nameOf: (connectionId: string) => string;
}

type PriceDialogProps = PriceDialogServices & DialogProps<{ readonly connectionId: string }>;

/** Shows the price list of a connection, with the date and source of each figure. The user can replace figures. */
export function PriceDialog({ request, nameOf, onClose }: PriceDialogProps) {
  const { t } = useTranslation();
  const { connectionId } = request;
  const name = nameOf(connectionId);
  const prices = usePrices(connectionId);
  const [isDirty, setDirty] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const close = (): void => {
    if (isDirty) setLeaving(true);
    else onClose();
  };
  return (
    <Dialog
      onClose={close}
      closeOnClickOutside={!isDirty}
      title={t('prices.title', { name })}
      size="min(720px, 96vw)"
    >
      {prices === null ? null : (
        <Form
          key={prices.origin}
          connectionId={connectionId}
          name={name}
          prices={prices}
          onDirty={() => setDirty(true)}
          onCancel={close}
          onClose={onClose}
          leaving={
            isLeaving ? <DiscardQuestion onStay={() => setLeaving(false)} onDiscard={onClose} /> : null
          }
        />
      )}
    </Dialog>
  );
}

interface FormProps extends Pick<PriceDialogProps, 'onClose'> {
  readonly connectionId: string;
  readonly name: string;
  readonly prices: ConnectionPrices;
  readonly onDirty: () => void;
  readonly onCancel: () => void;
  readonly leaving: ReactNode;
}

function Form({ connectionId, name, prices, onDirty, onCancel, onClose, leaving }: FormProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<Draft>(() =>
    prices.list === null ? emptyDraft(name) : priceDraftOf(prices.list),
  );
  const [shown, setShown] = useState(0);
  /** True if the list had figures for the account when the dialog opened. The fields for them are then shown from the start. */
  const [hasAccount] = useState(Object.values(draft.account).some(({ text }) => text !== ''));
  const save = useSave(connectionId, onClose);
  const { list, problems } = readPriceDraft(draft);
  const change = (next: Draft): void => {
    setDraft(next);
    onDirty();
  };
  const at = Math.min(shown, draft.classes.length - 1);
  const shownClass = draft.classes[at];
  const setClass = (next: DraftClass): void => change({ ...draft, classes: draft.classes.with(at, next) });
  const problemOf = problemTexts(problems, t);
  const unit = t(`prices.form.unitNames.${draft.unit}`);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (problems.length === 0) save.mutate(list);
      }}
    >
      <Stack gap="sm">
        <Text size="sm">
          {originText(prices, ['storage', 'traffic'], t)} {t('prices.estimate')}
        </Text>
        <Text size="xs" c="dimmed">
          {t('prices.form.explained')}
        </Text>
        {prices.list === null ? <StartFrom onChosen={(chosen) => change(priceDraftOf(chosen))} /> : null}
        <div className={common.columns}>
          <TextInput
            label={t('prices.form.name')}
            value={draft.name}
            error={problemOf('', null, 'name')}
            onChange={(event) => change({ ...draft, name: event.currentTarget.value })}
          />
          <TextInput
            label={t('prices.form.currency')}
            title={t('prices.form.currencyHint')}
            value={draft.currency}
            maxLength={3}
            spellCheck={false}
            autoComplete="off"
            error={problemOf('', null, 'currency')}
            onChange={(event) => change({ ...draft, currency: event.currentTarget.value.toUpperCase() })}
          />
          <NativeSelect
            size="xs"
            label={t('prices.form.unit')}
            value={draft.unit}
            data={gbUnits.map((value) => ({ value, label: t(`prices.form.units.${value}`) }))}
            onChange={(event) => change({ ...draft, unit: unitOf(event.currentTarget.value) ?? draft.unit })}
          />
          <FigureField
            unit={unit}
            label={t('prices.form.traffic', { unit })}
            figure={draft.trafficPerGb}
            error={problemOf('', 'trafficPerGb')}
            onChange={(trafficPerGb) => change({ ...draft, trafficPerGb })}
          />
        </div>
        <details open={hasAccount || undefined}>
          <summary className={common.quiet}>{t('prices.form.account')}</summary>
          <div className={classes.figures}>
            {accountFigures.map((name) => (
              <FigureField
                unit={unit}
                key={name}
                label={t(`prices.figures.${name}`, { unit })}
                figure={draft.account[name]}
                error={problemOf('', name)}
                onChange={(figure) => change({ ...draft, account: { ...draft.account, [name]: figure } })}
              />
            ))}
          </div>
        </details>
        <Flex wrap="wrap" align="flex-end" gap="xs">
          <NativeSelect
            size="xs"
            label={t('prices.form.class')}
            value={String(at)}
            data={draft.classes.map(({ storageClass }, index) => ({
              value: String(index),
              label: storageClass === '' ? t('prices.form.newClass') : storageClass,
            }))}
            error={problemOf('', null, 'no-class')}
            onChange={(event) => setShown(Number(event.currentTarget.value))}
          />
          {shownClass === undefined ? null : (
            <TextInput
              label={t('prices.form.newClass')}
              value={shownClass.storageClass}
              spellCheck={false}
              autoComplete="off"
              error={
                problemOf(shownClass.storageClass.trim(), null, 'class-twice') ??
                (shownClass.storageClass.trim() === '' ? problemOf('', null, 'class-empty') : null)
              }
              onChange={(event) => setClass({ ...shownClass, storageClass: event.currentTarget.value })}
            />
          )}
          <Button
            variant="default"
            size="xs"
            leftSection={<Plus size={14} aria-hidden />}
            onClick={() => {
              change({ ...draft, classes: [...draft.classes, newClass('')] });
              setShown(draft.classes.length);
            }}
          >
            {t('prices.form.addClass')}
          </Button>
          <IconButton
            label={t('prices.form.removeClass')}
            icon={Trash2}
            disabled={draft.classes.length < 2}
            onClick={() => change({ ...draft, classes: draft.classes.toSpliced(at, 1) })}
          />
        </Flex>
        {shownClass === undefined ? null : (
          <Figures unit={unit} shown={shownClass} onChange={setClass} errorOf={problemOf} />
        )}
        <FailureNotice error={save.error} />
        {leaving}
        <div className={common.footer} hidden={leaving !== null}>
          {prices.origin === 'own' ? (
            <Button variant="default" mr="auto" onClick={() => save.mutate(null)}>
              {t('prices.form.useShipped')}
            </Button>
          ) : null}
          <Button variant="default" onClick={onCancel}>
            {t('prices.form.cancel')}
          </Button>
          <Button type="submit" disabled={problems.length > 0} loading={save.isPending}>
            {t('prices.form.save')}
          </Button>
        </div>
      </Stack>
    </form>
  );
}

function unitOf(text: string): GbUnit | undefined {
  return gbUnits.find((unit) => unit === text);
}

function problemTexts(problems: readonly PriceProblem[], t: TFunction): ProblemOf {
  return (storageClass, figure, fault) => {
    const found = problems.find(
      (problem) =>
        problem.storageClass === storageClass &&
        problem.figure === figure &&
        (fault === undefined || problem.fault === fault),
    );
    return found === undefined ? null : t(`prices.faults.${found.fault}`);
  };
}

function StartFrom({ onChosen }: { readonly onChosen: (list: PriceList) => void }) {
  const { t } = useTranslation();
  const shipped = useQuery(orpc.prices.shipped.queryOptions()).data ?? [];
  return (
    <NativeSelect
      size="xs"
      label={t('prices.form.startFrom')}
      data={[
        { value: '', label: t('prices.form.startNothing') },
        ...shipped.map(({ name }) => ({ value: name, label: name })),
      ]}
      onChange={(event) => {
        const chosen = shipped.find(({ name }) => name === event.currentTarget.value);
        if (chosen !== undefined) onChosen(chosen);
      }}
    />
  );
}

function useSave(connectionId: string, onSaved: () => void) {
  const queries = useQueryClient();
  return useLatestMutation({
    mutationFn: async (list: PriceList | null) => await rpc.prices.set({ connectionId, list }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: orpc.prices.key() });
      onSaved();
    },
  });
}
