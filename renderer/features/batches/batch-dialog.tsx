import { Button, Checkbox, NumberInput, SegmentedControl, Select, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod/mini';
import type { TFunction } from 'i18next';
import type { NewBatch } from '../../../shared/models/batches.ts';
import { rpc } from '../../rpc/client.ts';
import { FailureNotice } from '../../rpc/failure-notice.tsx';
import { useKeptView } from '../../rpc/use-kept-view.ts';
import { joinClasses } from '../../ui/class-names.ts';
import type { DialogProps } from '../../ui/dialog/define-dialog.tsx';
import { Warning, Dialog } from '../../ui/dialog/dialog.tsx';
import { formatCount } from '../../ui/words/format.ts';
import { openPriceDialog } from '../prices/index.ts';
import {
  type ChosenForBatch,
  type FieldsProps,
  batchKinds,
  type BatchProblems,
  newBatchForm,
  numberField,
  readBatchForm,
  textField,
} from './batch-form.ts';
import { ExpiryFields } from './expiry-fields.tsx';
import { OperationFields } from './operation-fields.tsx';
import type { PriceList } from '../../../shared/models/prices.ts';
import { batchCost, isUnknown } from '../../../shared/pricing/cost.ts';
import { usePrices } from '../../rpc/use-prices.ts';
import { costText, formatMoney, originText } from '../../ui/words/money.ts';
import common from '../../ui/common.module.css';
import { useLatestMutation } from '../../ui/use-stable.ts';
import { openTransfers } from '../transfers/index.ts';

/** Fields for the job's account and role, and for the locations of its manifest and report. */
function PlaceFields(props: FieldsProps) {
  const { form, onChange } = props;
  const { t } = useTranslation();
  return (
    <>
      <div className={common.columns} data-align="end">
        <TextInput
          {...textField(props, 'accountId')}
          label={t('batches.accountId')}
          description={t('batches.accountIdHint')}
          placeholder="123456789012"
          inputMode="numeric"
        />
        <NumberInput
          {...numberField(props, 'priority')}
          label={t('batches.priority')}
          description={t('batches.priorityHint')}
          min={0}
        />
      </div>
      <TextInput
        {...textField(props, 'roleArn')}
        label={t('batches.roleArn')}
        description={t('batches.roleArnHint')}
        placeholder={t('batches.roleExample')}
      />
      <div className={common.columns} data-align="end">
        <TextInput {...textField(props, 'manifestBucket')} label={t('batches.manifestBucket')} />
        <TextInput {...textField(props, 'manifestKey')} label={t('batches.manifestKey')} />
        <TextInput {...textField(props, 'reportBucket')} label={t('batches.reportBucket')} />
        <TextInput
          {...textField(props, 'reportPrefix')}
          label={t('batches.reportPrefix')}
          placeholder={t('batches.noPrefix')}
        />
      </div>
      <Select
        size="xs"
        label={t('batches.reportScope')}
        allowDeselect={false}
        value={form.isReportOfAll ? 'all' : 'failed'}
        data={[
          { value: 'all', label: t('batches.scopes.all') },
          { value: 'failed', label: t('batches.scopes.failed') },
        ]}
        onChange={(value) => onChange({ isReportOfAll: value !== 'failed' })}
      />
    </>
  );
}

const lastValuesSchema = z.object({ accountId: z.string(), roleArn: z.string(), ownBucket: z.string() });
const noLastValues = { accountId: '', roleArn: '', ownBucket: '' };

/** Asks for the operation that AWS performs on the selected objects, its role, and the location of its manifest. */
export function BatchDialog(props: DialogProps<ChosenForBatch>) {
  const lastValues = useKeptView(`batch:${props.request.connectionId}`, lastValuesSchema, noLastValues);
  // Waits for the values typed last time, which the fields start with.
  return lastValues.isSettled ? <BatchFormDialog {...props} lastValues={lastValues} /> : null;
}

interface BatchFormDialogProps extends DialogProps<ChosenForBatch> {
  readonly lastValues: LastValues;
}

function BatchFormDialog({ request: chosen, onClose, lastValues }: BatchFormDialogProps) {
  const { t } = useTranslation();
  const { connectionId, bucket } = chosen;
  const [form, setForm] = useState(() => newBatchForm(bucket, lastValues.value, Date.now()));
  const [problems, setProblems] = useState<BatchProblems>({});
  const [typedWord, setWord] = useState('');
  const body = useRef<HTMLFormElement>(null);
  const isDeletion = form.kind === 'expire';
  const isAgreed = !isDeletion || typedWord.trim().toLowerCase() === t('operations.delete.word');
  const writing = useRef<AbortController | null>(null);
  // Closing the dialog while the manifest is being written cancels the job.
  useEffect(() => () => writing.current?.abort(), []);
  const create = useLatestMutation({
    mutationFn: async (input: NewBatch) => {
      const controller = new AbortController();
      writing.current = controller;
      return await rpc.batches.create(input, { signal: controller.signal });
    },
    onSuccess({ jobId }) {
      openTransfers(jobId);
      if (writing.current?.signal.aborted === false) onClose();
    },
  });
  const change: FieldsProps['onChange'] = (next) => {
    setForm((now) => ({ ...now, ...next }));
    setProblems((now) =>
      Object.fromEntries(Object.entries(now).filter(([field]) => !Object.hasOwn(next, field))),
    );
    create.reset();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const read = readBatchForm(form, chosen);
    if (read.kind === 'wrong') {
      setProblems(read.problems);
      // Focuses the first invalid field once the field shows its problem.
      requestAnimationFrame(() => body.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    if (!isAgreed) return;
    const { accountId, roleArn } = read.input;
    lastValues.set({ accountId, roleArn, ownBucket: read.input.manifest.bucket });
    create.mutate(read.input);
  };
  const fields: FieldsProps = {
    form,
    onChange: change,
    problemOf: (field) => {
      const problem = problems[field];
      return problem === undefined ? null : t(`batches.problems.${problem}`);
    },
  };
  return (
    <Dialog onClose={onClose} title={t('batches.title')} size={680}>
      <form ref={body} onSubmit={submit} noValidate>
        <Stack gap="sm">
          <p>
            {chosen.count === null
              ? t('batches.chosenFolders', { bucket })
              : t('batches.chosen', { count: chosen.count, number: formatCount(chosen.count), bucket })}{' '}
            {t('batches.what')}
          </p>
          <SegmentedControl
            fullWidth
            aria-label={t('batches.operation')}
            value={form.kind}
            data={batchKinds.map((value) => ({ value, label: t(`batches.kinds.${value}`) }))}
            onChange={(value) => change({ kind: batchKinds.find((kind) => kind === value) ?? 'tag' })}
          />
          {isDeletion ? (
            <ExpiryFields {...fields} place={{ connectionId, bucket }} />
          ) : (
            <>
              <OperationFields {...fields} />
              <Warning>{t(`batches.effects.${form.kind}`)}</Warning>
            </>
          )}
          <PlaceFields {...fields} />
          <Checkbox
            label={t('batches.asksFirst')}
            description={t('batches.asksFirstHint')}
            checked={form.asksFirst}
            onChange={(event) => change({ asksFirst: event.currentTarget.checked })}
          />
          <BatchCost connectionId={connectionId} count={chosen.count} />
          <p className={common.quiet}>{t('batches.untried')}</p>
          {isDeletion ? (
            <TextInput
              label={t('batches.typeWord', { word: t('operations.delete.word') })}
              value={typedWord}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setWord(event.currentTarget.value)}
            />
          ) : null}
          <FailureNotice error={create.error} />
          <div className={common.footer}>
            <span role="status" className={joinClasses(common.fill, common.quiet)}>
              {create.isPending ? t('batches.writing') : null}
            </span>
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button
              type="submit"
              {...(isDeletion ? { color: 'red' } : {})}
              disabled={!isAgreed}
              loading={create.isPending}
            >
              {t(isDeletion ? 'batches.submitExpire' : 'batches.submit')}
            </Button>
          </div>
        </Stack>
      </form>
    </Dialog>
  );
}

type LastValues = ReturnType<typeof useKeptView<z.infer<typeof lastValuesSchema>>>;

interface BatchCostProps {
  readonly connectionId: string;
  /** The number of objects, or null if selected folders have not been counted. */
  readonly count: number | null;
}

/** Shows what AWS bills for the job itself, before it is created. */
function BatchCost({ connectionId, count }: BatchCostProps) {
  const { t } = useTranslation();
  const prices = usePrices(connectionId);
  if (prices === null) return null;
  const { list } = prices;
  const price = list === null ? null : priceText(list, count, t);
  return (
    <p className={common.quiet}>
      {price === null ? t('batches.cost.unknown') : `${price} ${t('batches.cost.besides')}`}{' '}
      {price === null ? null : `${t('prices.estimate')} ${originText(prices, [], t)} `}
      <Button size="compact-xs" variant="subtle" onClick={() => openPriceDialog({ connectionId })}>
        {t('batches.cost.prices')}
      </Button>
    </p>
  );
}

function priceText(list: PriceList, count: number | null, t: TFunction): string | null {
  const { batchPerJob, batchPerMillion } = list.account ?? {};
  const cost = batchCost(list, count ?? 0);
  if (isUnknown(cost) || batchPerJob === undefined || batchPerMillion === undefined) return null;
  if (count !== null) return t('batches.cost.known', { amount: costText(cost, list.currency, t) });
  return t('batches.cost.rates', {
    job: formatMoney(batchPerJob.value, list.currency),
    million: formatMoney(batchPerMillion.value, list.currency),
  });
}
