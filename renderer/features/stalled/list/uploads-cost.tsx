import { ActionIcon, Anchor, Box, Button, Group, SegmentedControl, Stack, Table } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { CalendarClock, ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConnectionPrices } from '../../../../shared/models/prices.ts';
import {
  uploadAges,
  type UploadFilter,
  type UploadGroup,
  type UploadSummary,
} from '../../../../shared/models/stalled.ts';
import { isUnknown, stalledCost } from '../../../../shared/pricing/cost.ts';
import { orpc } from '../../../rpc/client.ts';
import { usePrices } from '../../../rpc/use-prices.ts';
import { joinClasses } from '../../../ui/class-names.ts';
import common from '../../../ui/common.module.css';
import { formatBytes, formatCount, formatDay } from '../../../ui/words/format.ts';
import { InfoTip } from '../../../ui/icon-button.tsx';
import { costText, missingText, originText } from '../../../ui/words/money.ts';
import {
  chosenGroup,
  filteredByGroup,
  type Grouping,
  groupings,
  groupsOf,
  type UploadsWhere,
} from '../model/list-query.ts';
import type { UploadFacts } from './use-rows.ts';
import classes from '../stalled-list.module.css';
import { openPriceDialog } from '../../prices/index.ts';

interface Props {
  readonly where: UploadsWhere;
  readonly scanId: string;
  readonly facts: UploadFacts;
  /**
   * A number that grows when parts of visible rows have been read, while `facts` does not change. It causes a refetch of the
   * summary.
   */
  readonly partsRead: number;
  readonly filter: UploadFilter;
  readonly onFilter: (filter: UploadFilter) => void;
  readonly onOld: () => void;
  /** Null while the parts are being read. */
  readonly onReadAll: (() => void) | null;
  readonly onLifecycle: (bucket: string) => void;
}

const groupColumns = ['name', 'uploads', 'stored', 'oldest'] as const;
/** The columns whose amounts need a list of prices. */
const costColumns = ['month', 'since'] as const;

/** Shows the stored bytes and cost of the listed uploads, also by bucket, client and age. */
export function UploadsCost(props: Props) {
  const { where, scanId, facts, partsRead, onOld, onReadAll, onLifecycle } = props;
  const { t } = useTranslation();
  const prices = usePrices(where.connectionId, where.bucket);
  const summary = useSummary(scanId, facts, partsRead);
  const [isOpen, setOpen] = useState(false);
  const { bucket } = where;
  return (
    <Stack component="section" flex="none" gap={6} px="md" pb="xs" aria-label={t('stalled.cost.label')}>
      <Group gap="4px 6px">
        {/* Reserves the space for this line from the start. Otherwise rows would move under the pointer and get clicked by
            mistake. */}
        {prices === null ? (
          <p className={joinClasses(common.row, common.numbers, classes.costText)} />
        ) : (
          <CostWords group={summary?.all ?? null} prices={prices} />
        )}
        {(summary?.all.unread ?? 0) > 0 && onReadAll !== null ? (
          <Button size="xs" variant="subtle" onClick={onReadAll}>
            {t('stalled.cost.read')}
          </Button>
        ) : null}
        <Button
          size="xs"
          variant="subtle"
          onClick={() => openPriceDialog({ connectionId: where.connectionId })}
        >
          {t(prices?.list === null ? 'prices.enter' : 'prices.open')}
        </Button>
        {bucket === null ? null : (
          <Button size="xs" variant="default" onClick={() => onLifecycle(bucket)}>
            {t('stalled.cost.rule')}
          </Button>
        )}
        <Button size="xs" variant="default" onClick={onOld}>
          {t('stalled.cost.old')}
        </Button>
        <Button
          size="xs"
          variant="default"
          aria-expanded={isOpen}
          leftSection={
            isOpen ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />
          }
          onClick={() => setOpen(!isOpen)}
        >
          {t(isOpen ? 'stalled.groups.hide' : 'stalled.groups.show')}
        </Button>
      </Group>
      {isOpen && summary !== null && prices !== null ? (
        <Groups {...props} summary={summary} prices={prices} />
      ) : null}
    </Stack>
  );
}

/** Fetches the summary as rows and parts arrive. Debounced, since the core iterates over all rows for a summary. */
function useSummary(scanId: string, { found, totals }: UploadFacts, partsRead: number): UploadSummary | null {
  const [version] = useDebouncedValue([found, totals.unread, partsRead].join(' '), 500);
  const query = useQuery({
    ...orpc.stalled.summary.queryOptions({ input: { scanId } }),
    queryKey: ['uploads-summary', scanId, version],
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  });
  return query.data ?? null;
}

/** Placeholder amounts that reserve space for the text until the real amounts are known. */
const awaited = { monthly: { amount: 0.0001, missing: [] }, since: { amount: 0.0001, missing: [] } } as const;

interface CostWordsProps {
  /** Null while unknown. */
  readonly group: UploadGroup | null;
  readonly prices: ConnectionPrices;
}

function CostWords({ group, prices }: CostWordsProps) {
  const { t } = useTranslation();
  const { list } = prices;
  const unread =
    group === null || group.unread === 0 ? null : t('stalled.cost.unread', { count: group.unread });
  if (list === null)
    return (
      <p className={joinClasses(common.row, common.numbers, classes.costText)}>
        <span className={joinClasses(common.hint, common.cut)}>{originText(prices, ['storage'], t)}</span>
        <InfoTip notes={unread === null ? [] : [unread]} />
      </p>
    );
  const { monthly, since } = group === null ? awaited : stalledCost(list, group.stored);
  const hasAmount = group === null || (!isUnknown(monthly) && group.unread < group.uploads);
  const notes = [
    hasAmount ? t('prices.estimate') : null,
    originText(prices, ['storage'], t),
    missingText([monthly], t),
  ].filter((text) => text !== null);
  return (
    <p className={joinClasses(common.row, common.numbers, classes.costText)}>
      {hasAmount ? (
        <strong data-awaited={group === null}>
          {t('stalled.cost.month', { amount: costText(monthly, list.currency, t) })}
          {', '}
          {t('stalled.cost.since', { amount: costText(since, list.currency, t) })}
          {'. '}
        </strong>
      ) : null}
      <InfoTip notes={notes} />
      {unread === null ? null : <span className={joinClasses(common.hint, common.cut)}>{unread}</span>}
    </p>
  );
}

interface GroupsProps extends Props {
  readonly summary: UploadSummary;
  readonly prices: ConnectionPrices;
}

function Groups({ where, filter, onFilter, onLifecycle, summary, prices }: GroupsProps) {
  const { t } = useTranslation();
  const offered = where.bucket === null ? groupings : groupings.filter((grouping) => grouping !== 'bucket');
  const [chosen, setChosen] = useState<Grouping>(where.bucket === null ? 'bucket' : 'age');
  const groups = groupsOf(summary, chosen);
  const others = summary.all.uploads - groups.reduce((sum, { uploads }) => sum + uploads, 0);
  const isOn = (name: string): boolean => chosenGroup(filter, chosen) === name;
  const { list } = prices;
  return (
    <>
      <SegmentedControl
        size="xs"
        style={{ alignSelf: 'flex-start' }}
        aria-label={t('stalled.groups.by')}
        value={chosen}
        onChange={setChosen}
        data={offered.map((value) => ({ value, label: t(`stalled.groups.${value}`) }))}
      />
      <Box
        className={joinClasses(common.framed, common.scroll)}
        mah={200}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that the keyboard can scroll it
        tabIndex={0}
        role="region"
        aria-label={t('stalled.groups.table')}
      >
        <Table
          className={joinClasses(common.numbers, classes.costTable)}
          fz="xs"
          horizontalSpacing={10}
          verticalSpacing={3}
          withRowBorders={false}
          highlightOnHover
          stickyHeader
        >
          <Table.Thead bg="var(--cooper-raised)" c="dimmed">
            <Table.Tr>
              {(list === null ? groupColumns : [...groupColumns, ...costColumns]).map((column) => (
                <Table.Th key={column} scope="col">
                  {t(`stalled.groups.${column}`)}
                </Table.Th>
              ))}
              {chosen === 'bucket' ? <Table.Th aria-label={t('stalled.cost.rule')} /> : null}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {groups.map((group) => {
              const name = groupName(group.name, chosen, t);
              const ifRead = (text: string) => (group.unread === group.uploads ? t('common.unknown') : text);
              const cost = list === null ? null : stalledCost(list, group.stored);
              return (
                <Table.Tr key={group.name} data-on={isOn(group.name)}>
                  <Table.Th scope="row">
                    <Anchor
                      component="button"
                      type="button"
                      size="xs"
                      c="inherit"
                      maw="100%"
                      truncate
                      aria-pressed={isOn(group.name)}
                      title={t('stalled.groups.only', { name })}
                      onClick={() =>
                        onFilter(filteredByGroup(filter, chosen, isOn(group.name) ? null : group.name))
                      }
                    >
                      {name}
                    </Anchor>
                  </Table.Th>
                  <Table.Td>{formatCount(group.uploads)}</Table.Td>
                  <Table.Td>{ifRead(storedText(group, t))}</Table.Td>
                  <Table.Td>
                    {group.oldestAt === null ? t('common.unknown') : formatDay(group.oldestAt)}
                  </Table.Td>
                  {list === null || cost === null ? null : (
                    <>
                      <Table.Td>{ifRead(costText(cost.monthly, list.currency, t))}</Table.Td>
                      <Table.Td>{ifRead(costText(cost.since, list.currency, t))}</Table.Td>
                    </>
                  )}
                  {chosen === 'bucket' ? (
                    <Table.Td>
                      <ActionIcon
                        size="xs"
                        aria-label={t('stalled.cost.ruleOf', { bucket: group.name })}
                        title={t('stalled.cost.ruleOf', { bucket: group.name })}
                        onClick={() => onLifecycle(group.name)}
                      >
                        <CalendarClock size={14} aria-hidden />
                      </ActionIcon>
                    </Table.Td>
                  ) : null}
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </Box>
      {others > 0 ? <p className={common.quiet}>{t('stalled.groups.others', { count: others })}</p> : null}
    </>
  );
}

function storedText({ storedBytes, unread }: UploadGroup, t: TFunction): string {
  const size = formatBytes(storedBytes);
  return unread === 0 ? size : t('stalled.totals.storedAtLeast', { size });
}

function groupName(name: string, grouping: Grouping, t: TFunction): string {
  if (grouping === 'age')
    return t(`stalled.groups.ages.${uploadAges.find((age) => age === name) ?? 'unknown'}`);
  return name === '' ? t('stalled.groups.unknownClient') : name;
}
