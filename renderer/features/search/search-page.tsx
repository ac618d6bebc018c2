import { Box, Button, Group, Title } from '@mantine/core';
import { Search } from 'lucide-react';
import { useState, type Ref } from 'react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { nameText } from '../../../shared/keys/display.ts';
import type { AppError } from '../../../shared/errors.ts';
import type { WalkQuery } from '../../../shared/models/walks.ts';
import { closeWalk, rpc } from '../../rpc/client.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import { joinClasses } from '../../ui/class-names.ts';
import common from '../../ui/common.module.css';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/words/error-notice.tsx';
import type { FolderHandle } from '../objects/index.ts';
import { useBucketChanges } from './bucket-changes.ts';
import { readForm, type ReadForm, type SearchForm } from './search-form.ts';
import { SearchFields, type FieldProblem } from './search-fields.tsx';
import { SearchResults } from './search-results.tsx';
import type { SearchServices, SearchWhere } from './search-services.ts';
import { useWalk } from './use-walk.ts';
import { useLatestOpening } from '../../ui/latest-opening.ts';
import classes from './search.module.css';

export interface SearchPageProps {
  readonly where: SearchWhere;
  /** The values of the last search in this tab. */
  readonly form: SearchForm;
  /** The id of the walk (the listing) of the last search, or null before the first. */
  readonly walkId: string | null;
  readonly services: SearchServices;
  /** The results, on which the window's commands act. */
  readonly ref?: Ref<FolderHandle>;
  /** Called when a search has started, which replaces the previous search in this tab. */
  readonly onBegun: (form: SearchForm, walkId: string) => void;
  /** Repeats the search in the whole bucket. Null if it already covers the whole bucket. */
  readonly onWiden: ((form: SearchForm) => void) | null;
}

/** Shows a search below a prefix: the form, the progress, and the results. */
export function SearchPage({ where, services, ref, onBegun, onWiden, ...lastSearch }: SearchPageProps) {
  const { t } = useTranslation();
  const [form, setForm] = useState(lastSearch.form);
  const [problem, setProblem] = useState<FieldProblem | null>(null);
  const [startError, setStartError] = useState<AppError | null>(null);
  const walk = useWalk(lastSearch.walkId, useBucketChanges(where));
  // While a search runs, the form can be submitted again, unless that would only restart the same search.
  const isRunning = walk.status?.state === 'running' && isSameSearch(form, lastSearch.form);

  const opening = useLatestOpening(closeWalk);

  const showError = (error: AppError): void => {
    if (error.reason === 'pattern-invalid')
      setProblem({ field: 'text', text: t('search.problems.pattern', { why: error.message }) });
    else setStartError(error);
  };
  const start = async (
    submittedForm: SearchForm,
    query: WalkQuery,
    fromCatalogue: boolean,
  ): Promise<void> => {
    try {
      const request = { ...where, query, fromCatalogue };
      const walkId = await opening.open(async () => (await rpc.walks.start(request)).walkId);
      if (walkId !== null) onBegun(submittedForm, walkId);
    } catch (thrown) {
      showError(appErrorOf(thrown));
    }
  };
  const begin = (submittedForm: SearchForm, fromCatalogue = true): void => {
    const parsedForm = readForm(submittedForm, Date.now());
    setStartError(null);
    if (parsedForm.kind === 'wrong') {
      setProblem({ field: parsedForm.field, text: wordsOf(parsedForm, t) });
      return;
    }
    setProblem(null);
    void start(submittedForm, parsedForm.query, fromCatalogue);
  };
  const repeatSearch = (): void => begin(lastSearch.form);

  const { bucket, prefix } = where;
  const name = nameText(prefix === '' ? bucket : `${bucket}/${prefix}`, t('common.keyText.empty'));
  return (
    <section
      className={joinClasses(common.column, common.scroll, classes.page)}
      aria-labelledby="search-title"
    >
      <Group flex="none" justify="space-between" gap="4px 12px" pt={10} pb={2} px="md">
        <Title order={1} fz="lg" id="search-title" className={common.breaks ?? ''} miw={0}>
          {t('entries.search.title')}{' '}
          <span className={classes.where}>
            {t(prefix === '' ? 'search.inBucket' : 'search.inFolder', { name })}
          </span>
        </Title>
        {onWiden === null ? null : (
          <Button variant="subtle" onClick={() => onWiden(form)}>
            {t('search.widen')}
          </Button>
        )}
      </Group>
      <SearchFields
        form={form}
        problem={problem}
        isRunning={isRunning}
        onChange={(next) => {
          setForm(next);
          setProblem(null);
        }}
        onSubmit={() => begin(form)}
      />
      {startError === null ? null : (
        <Box flex="none" pt={4} pb="xs" px="md">
          <ErrorNotice error={startError} onRetry={() => begin(form)} />
        </Box>
      )}
      {walk.error === null ? null : (
        <Box flex="none" pt={4} pb="xs" px="md">
          <ErrorNotice error={walk.error} onRetry={repeatSearch} />
        </Box>
      )}
      {walk.isGone ? (
        <EmptyState
          icon={<Search size={28} />}
          title={t('search.gone.title')}
          body={t('search.gone.body')}
          actions={<Button onClick={repeatSearch}>{t('search.again')}</Button>}
        />
      ) : walk.status !== null ? (
        <SearchResults
          key={walk.status.walkId}
          where={where}
          status={walk.status}
          services={services}
          listRef={ref}
          onAgain={repeatSearch}
          onService={() => begin(lastSearch.form, false)}
        />
      ) : lastSearch.walkId === null ? (
        <EmptyState
          icon={<Search size={28} />}
          title={t('search.start.title')}
          body={t('search.start.body')}
        />
      ) : null}
    </section>
  );
}

function isSameSearch(form: SearchForm, other: SearchForm): boolean {
  return JSON.stringify(form) === JSON.stringify(other);
}

function wordsOf({ problem }: Extract<ReadForm, { kind: 'wrong' }>, t: TFunction): string {
  return problem.kind === 'regex'
    ? t('search.problems.regex', { why: problem.why })
    : t(`search.problems.${problem.kind}`);
}
