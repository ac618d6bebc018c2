import { failure, toAppError } from '../../../shared/errors.ts';
import {
  everyKind,
  type BucketTotals,
  type CatalogueList,
  type Changes,
  type Duplicates,
  type FoundNames,
  type MapFacts,
  type MapRows,
  type MapTree,
  type SurveyStatus,
} from '../../../shared/models/map.ts';
import type { Holding, SmallestSize } from '../../../shared/models/prices.ts';
import type { WalkExport, WalkQuery } from '../../../shared/models/walks.ts';
import type { Ports } from '../ports.ts';
import type { WalkExports } from '../walks/exports.ts';
import {
  isSameOrigin,
  parseBucketOrigin,
  printOrigin,
  type BucketOrigin,
} from '../s3/model/bucket-origin.ts';
import type { FoundKeys, KeptKeys, WalkPlace } from '../walks/walk-source.ts';
import type { Walks } from '../walks/walks.ts';
import { createCatalogueThread } from './catalogue-thread.ts';
import { findNames } from './find-names.ts';
import { Survey, type ReportSource } from './survey.ts';
import type { CatalogueCalls, IndexedCatalogue } from './thread/catalogue-messages.ts';

export interface MapsDeps {
  readonly ports: Pick<Ports, 'clock' | 'random' | 'logger'>;
  /** The folder that contains the catalogues. */
  readonly dir: string;
  readonly walks: Pick<Walks, 'survey'>;
  /** Returns the bucket's current origin (endpoint, account, creation time). Catalogues with another origin are ignored. */
  readonly originOf: (place: BucketPlace) => Promise<BucketOrigin>;
  /** Returns a connection's endpoint and account, without a request; null if the connection does not exist. */
  readonly accountOf: (connectionId: string) => Promise<Omit<BucketOrigin, 'createdAt'> | null>;
  readonly exports: Pick<WalkExports, 'run'>;
  /** The disk limit for all catalogues together, in bytes; 0 keeps none. */
  readonly limitBytes: () => number;
}

type Refresh = 'never' | 'old' | 'always';
type Asked<C extends 'tree' | 'rows' | 'facts' | 'holdings'> = Omit<CatalogueCalls[C]['input'], 'sumsId'> & {
  readonly surveyId: string;
};
interface BucketPlace {
  readonly connectionId: string;
  readonly bucket: string;
}

/** Holds the maps of buckets, and the catalogues from which they are loaded. */
export interface Maps {
  open(place: WalkPlace, refresh: Refresh): Promise<string>;
  /** Reads an inventory report into the map of a place. The previous map stays visible until the whole report is read. */
  read(place: WalkPlace, report: ReportSource): Promise<string>;
  watch(surveyId: string, signal: AbortSignal): AsyncGenerator<SurveyStatus, void, void>;
  tree(wish: Asked<'tree'>): Promise<MapTree>;
  rows(wish: Asked<'rows'>): Promise<MapRows>;
  facts(wish: Asked<'facts'>): Promise<MapFacts>;
  holdings(wish: Asked<'holdings'>): Promise<Holding[]>;
  /**
   * Returns the holdings of folders from the newest catalogue that contains them; null if no catalogue does, or a folder is
   * missing.
   */
  holdingsOf(
    place: WalkPlace,
    folders: readonly string[],
    smallest: readonly SmallestSize[],
  ): Promise<{ takenAt: string; holdings: Holding[] } | null>;
  duplicates(surveyId: string, folder: string): Promise<Duplicates>;
  export(
    wish: {
      readonly surveyId: string;
      readonly folder: string;
      readonly format: 'csv' | 'csv-bom' | 'json';
      readonly title: string;
    },
    signal: AbortSignal,
  ): Promise<WalkExport>;
  stop(surveyId: string): void;
  close(surveyId: string): Promise<void>;
  list(place: BucketPlace): Promise<CatalogueList>;
  totals(connectionId: string): Promise<BucketTotals[]>;
  sizes(
    place: WalkPlace,
    folders: readonly string[],
  ): Promise<{ takenAt: string; sums: ({ objects: number; sizeBytes: number } | null)[] } | null>;
  /** Finds objects and folders in all catalogues by words of their names. Matches in the place `near` come first. */
  find(
    wish: { readonly text: string; readonly near: BucketPlace | null },
    signal: AbortSignal,
  ): AsyncGenerator<FoundNames, void, void>;
  changes(
    wish: BucketPlace & { readonly beforeId: string; readonly afterId: string; readonly folder: string },
  ): Promise<Changes>;
  /** Deletes the catalogues of a bucket, or of all buckets of the connection if `bucket` is null. */
  forget(connectionId: string, bucket: string | null): Promise<void>;
  /** Closes the maps of a connection after a change, because it may now lead to another service. */
  connectionChanged(connectionId: string): Promise<void>;
  usage(): Promise<{ catalogues: number; fileBytes: number }>;
  /** Returns the stored keys from the newest catalogue that covers a place; null if there is no such catalogue. */
  keptKeys(place: WalkPlace): Promise<KeptKeys | null>;
  /** Deletes the catalogues that exceed the disk limit, after the limit was changed. */
  makeRoom(): Promise<void>;
  shutDown(): Promise<void>;
}

const watchEveryMs = 250;
/** The age from which a catalogue is refreshed automatically, in milliseconds. */
const oldAfterMs = 5 * 60_000;
/** A refresh that needs more requests than this costs time and money, so it starts only at the user's request. */
const maxRequestsUnasked = 1000;
const foldersPerPiece = 2000;
/**
 * The maximum number of maps in memory. Above it, the least recently used maps are dropped; their catalogues can be loaded again.
 */
const maxSurveys = 4;

export function createMaps(deps: MapsDeps): Maps {
  const { clock, random, logger } = deps.ports;
  const thread = createCatalogueThread(deps.dir);
  /** The maps in memory by id, the least recently used first. */
  const surveys = new Map<string, Survey>();
  let index: Promise<readonly IndexedCatalogue[]> | null = null;

  const catalogues = async (): Promise<readonly IndexedCatalogue[]> => {
    index ??= thread.ask('index', null);
    try {
      return await index;
    } catch (thrown) {
      index = null;
      throw thrown;
    }
  };
  const forgetIndex = (): void => {
    index = null;
  };

  /** Returns the catalogues that were read from the bucket's current origin, newest first. */
  const ofBucket = async (place: BucketPlace): Promise<readonly IndexedCatalogue[]> => {
    const known = (await catalogues()).filter((catalogue) => isAt(catalogue, place));
    if (known.length === 0) return known;
    const origin = await deps.originOf(place);
    return known.filter((catalogue) => isOf(catalogue, origin));
  };

  const covering = async (place: WalkPlace): Promise<IndexedCatalogue | null> =>
    (await ofBucket(place)).find((catalogue) => place.prefix.startsWith(catalogue.prefix)) ?? null;

  const surveyOf = (surveyId: string): Survey => {
    const survey = surveys.get(surveyId);
    if (survey !== undefined) return survey;
    throw failure('not-found', 'This map no longer exists. Open it again.', {
      reason: 'survey-gone',
      retry: 'after-fix',
    });
  };

  const make = (place: WalkPlace, bucketOrigin: BucketOrigin): Survey => {
    const survey = new Survey(random.id(), place, {
      clock,
      logger,
      thread,
      newId: () => random.id(),
      walk: (where, sink) => deps.walks.survey(where, sink),
      limitBytes: deps.limitBytes,
      bucketOrigin,
      onCatalogues: forgetIndex,
    });
    surveys.set(survey.surveyId, survey);
    for (const old of surveys.values()) {
      if (surveys.size <= maxSurveys) break;
      if (old !== survey && !old.isWalking) void closeOne(old);
    }
    return survey;
  };

  const closeOne = async (survey: Survey): Promise<void> => {
    surveys.delete(survey.surveyId);
    await survey.close();
  };

  /** Creates a survey from the newest catalogue that covers the place. If there is no such catalogue, the survey is empty. */
  const fromCatalogue = async (place: WalkPlace, origin: BucketOrigin): Promise<Survey> => {
    const known = await covering(place);
    if (known === null) return make(place, origin);
    const { connectionId, bucket, prefix } = known;
    const survey = make({ connectionId, bucket, prefix }, origin);
    try {
      await survey.show(known);
      return survey;
    } catch (thrown) {
      forgetIndex();
      if (toAppError(thrown).reason !== 'catalogue-gone') throw thrown;
      logger.warn('Could not read a catalogue; it was removed.', { bucket });
      await closeOne(survey);
      return make(place, origin);
    }
  };

  const isOld = async (survey: Survey): Promise<boolean> => {
    const { takenAt } = survey;
    // A map from an inventory report is never refreshed automatically by listing the bucket.
    if (survey.origin === 'inventory') return false;
    if (takenAt === null || clock.nowMs() - Date.parse(takenAt) < oldAfterMs) return false;
    const known = (await ofBucket(survey.place)).find((catalogue) => catalogue.takenAt === takenAt);
    return (known?.requests ?? 0) <= maxRequestsUnasked;
  };

  /** Returns the current origin of a place. Closes maps that were read from an earlier origin. */
  const originFor = async (place: WalkPlace): Promise<BucketOrigin> => {
    const origin = await deps.originOf(place);
    const gone = [...surveys.values()].filter(
      (survey) => isAt(survey.place, place) && !isSameOrigin(survey.bucketOrigin, origin),
    );
    await Promise.all(gone.map(closeOne));
    return origin;
  };

  const opening = new Map<string, Promise<Survey>>();
  /** Returns the survey of a place. Windows that open the same place at the same time share one survey. */
  const surveyFor = async (place: WalkPlace): Promise<Survey> => {
    const origin = await originFor(place);
    const open = newestOf(
      [...surveys.values()].filter(
        (survey) => isAt(survey.place, place) && place.prefix.startsWith(survey.place.prefix),
      ),
    );
    const kept = await covering(place);
    // A map from an older report must not hide a newer catalogue.
    if (open !== null && (kept === null || open.takenAt === null || open.takenAt >= kept.takenAt))
      return open;
    const name = JSON.stringify([place.connectionId, place.bucket, place.prefix, printOrigin(origin)]);
    const begun = opening.get(name) ?? fromCatalogue(place, origin).finally(() => opening.delete(name));
    opening.set(name, begun);
    return await begun;
  };

  /** Refreshes the survey of a place if it was loaded from an old catalogue. */
  const refreshOld = async (place: WalkPlace): Promise<void> => {
    try {
      const survey = await surveyFor(place);
      if (await isOld(survey)) survey.refresh();
    } catch (thrown) {
      logger.warn('Could not rebuild a catalogue.', { err: thrown });
    }
  };

  return {
    open: async (place, refresh) => {
      const survey = await surveyFor(place);
      surveys.delete(survey.surveyId);
      surveys.set(survey.surveyId, survey);
      const isUnknown = survey.takenAt === null;
      if (refresh === 'always' || isUnknown || (refresh === 'old' && (await isOld(survey)))) survey.refresh();
      return survey.surveyId;
    },

    read: async (place, report) => {
      const origin = await originFor(place);
      // A map with newer keys than the report is kept; the report fills another map.
      const open = [...surveys.values()].findLast(
        (candidate) =>
          isAt(candidate.place, place) &&
          candidate.place.prefix === place.prefix &&
          (candidate.takenAt === null || candidate.takenAt <= report.takenAt),
      );
      const survey = open ?? make(place, origin);
      surveys.delete(survey.surveyId);
      surveys.set(survey.surveyId, survey);
      await survey.read(report);
      return survey.surveyId;
    },

    watch: async function* (surveyId, signal) {
      const survey = surveyOf(surveyId);
      while (!survey.isClosed && !signal.aborted) {
        const changed = nextChange(survey, signal);
        yield survey.status();
        await changed;
        await clock.sleep(watchEveryMs, signal).catch(() => undefined);
      }
    },

    tree: async ({ surveyId, ...wish }) => {
      const { sumsId } = surveyOf(surveyId);
      return await thread.ask('tree', { ...wish, sumsId });
    },
    rows: async ({ surveyId, ...wish }) => {
      const { sumsId } = surveyOf(surveyId);
      return await thread.ask('rows', { ...wish, sumsId });
    },
    facts: async ({ surveyId, ...wish }) => {
      const survey = surveyOf(surveyId);
      const { sumsId, takenAt } = survey;
      const facts = await thread.ask('facts', { ...wish, sumsId });
      if (facts.largestOf === null && facts.oldestOf === null) return facts;
      // The sums contain the largest and oldest objects of the whole bucket only. Those of a folder are read from its catalogue.
      const known = (await ofBucket(survey.place)).find(
        (catalogue) => catalogue.takenAt === takenAt && wish.folder.startsWith(catalogue.prefix),
      );
      if (known === undefined) return facts;
      const { catalogueId } = known;
      const tops = await thread.ask('folderTops', { ...wish, sumsId, catalogueId });
      return tops === null ? facts : { ...facts, ...tops, largestOf: null, oldestOf: null };
    },

    holdings: async ({ surveyId, ...wish }) => {
      const { sumsId } = surveyOf(surveyId);
      return await thread.ask('holdings', { ...wish, sumsId });
    },

    holdingsOf: async (place, folders, smallest) => {
      if ((await covering(place)) === null) return null;
      const { isComplete, takenAt, sumsId } = await surveyFor(place);
      if (!isComplete || takenAt === null) return null;
      const found = await Promise.all(
        folders.map(
          async (folder) => await thread.ask('holdings', { sumsId, folder, filter: everyKind, smallest }),
        ),
      );
      return { takenAt, holdings: found.flat() };
    },

    duplicates: async (surveyId, folder) => {
      const survey = surveyOf(surveyId);
      const known = await covering({ ...survey.place, prefix: folder });
      if (known === null) return { kind: 'no-catalogue' };
      const found = await thread.ask('duplicates', { catalogueId: known.catalogueId, folder });
      return { ...found, takenAt: known.takenAt };
    },

    export: async ({ surveyId, folder, format, title }, signal) => {
      const survey = surveyOf(surveyId);
      const { sumsId } = survey;
      const chunks = async function* () {
        for (let from: number | null = 0; from !== null;) {
          const piece: CatalogueCalls['export']['output'] = await thread.ask('export', {
            sumsId,
            folder,
            format: format === 'json' ? 'json' : 'csv',
            from,
            limit: foldersPerPiece,
          });
          yield piece;
          from = piece.next;
        }
      };
      const place = { bucket: survey.place.bucket, prefix: folder };
      return await deps.exports.run({ place, format, title, chunks }, signal);
    },

    stop: (surveyId) => surveyOf(surveyId).stop(),
    close: async (surveyId) => await closeOne(surveyOf(surveyId)),

    list: async (place) => {
      const points = await thread.ask('growth', place);
      if (points.length === 0) return { catalogues: [], growth: [] };
      const origin = await deps.originOf(place);
      return {
        catalogues: (await ofBucket(place)).map(
          ({ connectionId: _connectionId, bucket: _bucket, origin: _origin, ...kept }) => kept,
        ),
        growth: points.filter((point) => isOf(point, origin)).map(({ origin: _origin, ...point }) => point),
      };
    },

    totals: async (connectionId) => {
      const found = await thread.ask('totals', { connectionId });
      const totals = new Map<string, BucketTotals>();
      // The newest totals of each bucket come first, so later ones are skipped.
      for (const { origin, ...total } of found) {
        const { bucket } = total;
        if (
          !totals.has(bucket) &&
          isOf({ origin, takenAt: total.takenAt }, await deps.originOf({ connectionId, bucket }))
        )
          totals.set(bucket, total);
      }
      return [...totals.values()];
    },

    sizes: async (place, folders) => {
      if ((await covering(place)) === null) return null;
      const survey = await surveyFor(place);
      // Sums of a running listing are incomplete.
      if (!survey.isComplete || survey.takenAt === null) return null;
      // Answered from memory without requests to the service, because the window asks each time it shows a folder.
      const sums = await thread.ask('sizes', { sumsId: survey.sumsId, folders });
      return { takenAt: survey.takenAt, sums: [...sums] };
    },

    changes: async ({ connectionId, bucket, ...wish }) => {
      const known = await ofBucket({ connectionId, bucket });
      for (const id of [wish.beforeId, wish.afterId])
        if (!known.some(({ catalogueId }) => catalogueId === id))
          throw failure('not-found', 'One of the two catalogues no longer exists.', {
            reason: 'catalogue-gone',
            retry: 'after-fix',
          });
      return await thread.ask('changes', wish);
    },

    find: (wish, signal) =>
      findNames(
        { thread, clock, newId: () => random.id(), catalogues, accountOf: deps.accountOf },
        wish,
        signal,
      ),

    forget: async (connectionId, bucket) => {
      const gone = [...surveys.values()].filter(
        ({ place }) => place.connectionId === connectionId && (bucket === null || place.bucket === bucket),
      );
      await Promise.all(gone.map(async (survey) => await closeOne(survey)));
      await thread.ask('forget', { connectionId, bucket });
      forgetIndex();
    },

    connectionChanged: async (connectionId) => {
      const open = [...surveys.values()].filter(({ place }) => place.connectionId === connectionId);
      await Promise.all(open.map(closeOne));
    },

    usage: async () => {
      const all = await catalogues();
      return { catalogues: all.length, fileBytes: all.reduce((sum, { fileBytes }) => sum + fileBytes, 0) };
    },

    keptKeys: async (place) => {
      const known = await covering(place);
      if (known === null) return null;
      const { catalogueId, takenAt } = known;
      void refreshOld(place);
      const search = async function* (
        query: WalkQuery,
        prefix: string,
        signal: AbortSignal,
      ): AsyncGenerator<FoundKeys, void, void> {
        const searchId = random.id();
        try {
          for (let from: number | null = 0; from !== null;) {
            signal.throwIfAborted();
            const wish: CatalogueCalls['search']['input'] = { searchId, catalogueId, prefix, query, from };
            const turn: CatalogueCalls['search']['output'] = await thread.ask('search', wish);
            yield turn;
            from = turn.next;
          }
        } finally {
          await thread.ask('searchOver', { searchId });
        }
      };
      return { takenAt, search };
    },

    makeRoom: async () => {
      if ((await catalogues()).length === 0) return;
      await thread.ask('trim', { limitBytes: deps.limitBytes() });
      forgetIndex();
    },

    shutDown: async () => {
      const open = [...surveys.values()];
      surveys.clear();
      for (const survey of open) survey.stop();
      await thread.close();
    },
  };
}

function isAt(place: BucketPlace, other: BucketPlace): boolean {
  return place.connectionId === other.connectionId && place.bucket === other.bucket;
}

/** Returns the survey with the latest data. A survey without data counts as newest. Among equals, returns the one opened last. */
function newestOf(surveys: readonly Survey[]): Survey | null {
  return surveys.reduce<Survey | null>(
    (newest, survey) =>
      newest === null || (survey.takenAt ?? '~') >= (newest.takenAt ?? '~') ? survey : newest,
    null,
  );
}

/**
 * Returns true if a catalogue was read from the origin `now`. A catalogue of an earlier version stores no origin; it counts if
 * the bucket is older than the catalogue.
 */
function isOf(
  { origin, takenAt }: { readonly origin: string; readonly takenAt: string },
  now: BucketOrigin,
): boolean {
  const before = parseBucketOrigin(origin);
  if (before !== null) return isSameOrigin(before, now);
  return now.createdAt === null || Date.parse(takenAt) >= Date.parse(now.createdAt);
}

/** Resolves at the next change of the survey, or when the signal aborts. */
function nextChange(survey: Survey, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      end();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const end = survey.onChange(done);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
}
