import { Box, Button, Group, NativeSelect, SegmentedControl } from '@mantine/core';
import { ChevronDown, FileDown, RotateCw, Square } from 'lucide-react';
import { type Ref, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod/mini';
import { nameText } from '../../../shared/keys/display.ts';
import { lastSegment } from '../../../shared/keys/paths.ts';
import {
  everyKind,
  mapColourings,
  type MapFilter,
  mapMeasures,
  type MapNode,
} from '../../../shared/models/map.ts';
import { rpc } from '../../rpc/client.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';
import { useKeptView } from '../../rpc/use-kept-view.ts';
import { joinClasses } from '../../ui/class-names.ts';
import { MenuButton } from '../../ui/menu-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/words/error-notice.tsx';
import { type MenuPoint, MenuEntries } from '../../ui/menus.tsx';
import { useMapExport } from './map-export.ts';
import { MapStatusLine } from './map-status.tsx';
import { keyOfNode } from './node-words.ts';
import { Treemap } from './treemap.tsx';
import { useLatestResponse, useOpenMap } from './use-open-map.ts';
import { MapChanges } from './map-changes.tsx';
import { MapLists } from './map-lists.tsx';
import { MapTable } from './map-table.tsx';
import { MapTotals } from './map-totals.tsx';
import type { MapSideProps, MapHandle, MapItem, MapPlace, MapServices } from './map-services.ts';
import common from '../../ui/common.module.css';
import classes from './map.module.css';

const panels = ['totals', 'table', 'objects', 'changes'] as const;

/** Shows the panels next to the treemap: totals with the legend, a table, the largest and oldest objects, and changes. */
function MapSide(props: MapSideProps) {
  const { t } = useTranslation();
  const [panel, setPanel] = useState<(typeof panels)[number]>('totals');
  return (
    <>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={t('map.panels.label')}
        value={panel}
        onChange={setPanel}
        data={panels.map((value) => ({ value, label: t(`map.panels.${value}`) }))}
      />
      <div className={joinClasses(common.column, common.fill, common.scroll)}>
        {panel === 'totals' ? <MapTotals {...props} /> : null}
        {panel === 'table' ? <MapTable {...props} /> : null}
        {panel === 'objects' ? <MapLists {...props} /> : null}
        {panel === 'changes' ? <MapChanges {...props} /> : null}
      </div>
    </>
  );
}

export interface MapPageProps {
  readonly place: MapPlace;
  readonly services: MapServices;
  readonly ref?: Ref<MapHandle>;
}

const lookSchema = z.object({ measure: z.enum(mapMeasures), colouring: z.enum(mapColourings) });
const defaultLook: z.infer<typeof lookSchema> = { measure: 'size', colouring: 'kind' };
/** The maximum number of nodes to request: as many as a large screen can show. */
const maxNodes = 2500;
const noNodes: readonly MapNode[] = [];

/** Shows the space used below a folder as a treemap, as a table, and in totals. */
export function MapPage({ place, services, ref }: MapPageProps) {
  const { t } = useTranslation();
  const { bucket, folder } = place;
  const openMap = useOpenMap(place);
  const { status } = openMap;
  const look = useKeptView('map-look', lookSchema, defaultLook);
  const { measure, colouring } = look.value;
  const [filter, setFilter] = useState<MapFilter>(everyKind);
  const [chosen, setChosen] = useState<MapItem | null>(null);
  const [menuAt, setMenuAt] = useState<MenuPoint | null>(null);
  const canvas = useRef<HTMLCanvasElement | null>(null);
  const side = useRef<HTMLDivElement>(null);
  const mapId = status?.mapId ?? '';
  const isReady = status !== null && status.revision > 0;
  const question = { mapId, folder, filter };
  const questionKey = JSON.stringify([question, status?.revision]);
  const tree = useLatestResponse(
    isReady ? JSON.stringify([questionKey, measure, colouring]) : null,
    async () => ({ folder, ...(await rpc.map.tree({ ...question, measure, colouring, limit: maxNodes })) }),
  );
  const facts = useLatestResponse(isReady ? questionKey : null, () => rpc.map.facts(question));
  const exportAs = useMapExport({ mapId, folder, bucket, canvas });

  const nodes = tree.answer?.folder === folder ? tree.answer.nodes : noNodes;
  const storageClasses = useMemo(
    () => (facts.answer?.byStorageClass ?? []).map(({ name }) => name).toSorted(),
    [facts.answer],
  );
  const itemAt = (at: number): MapItem | null => {
    const node = nodes[at];
    const key = keyOfNode(nodes, at, folder);
    if (node === undefined || key === null) return null;
    return {
      kind: node.kind === 'object' ? 'object' : 'folder',
      key,
      sizeBytes: node.sizeBytes,
      modified: node.newest,
      storageClass: null,
    };
  };
  const open = (item: MapItem, inNewTab: boolean): void => {
    if (item.kind === 'folder') services.openFolder(item.key, inNewTab);
    else services.openObject(item.key);
  };
  /** Opens a node's folder or object. If a node represents several items, opens the folder that contains them. */
  const openNode = (at: number, inNewTab: boolean): void => {
    const parent = nodes[at]?.parent ?? -1;
    const item = itemAt(at) ?? (parent > 0 ? itemAt(parent) : null);
    if (item !== null) open(item, inNewTab);
  };
  const focus = (): void => side.current?.querySelector<HTMLElement>('[role="grid"]')?.focus();
  useImperativeHandle(ref, () => ({
    focus,
    reload: openMap.refresh,
    selected: () => (chosen === null ? [] : [chosen]),
  }));

  const name = nameText(folder === '' ? bucket : lastSegment(folder), t('common.keyText.empty'));
  const isWalking = status?.walk?.state === 'running';
  const isEmpty = status?.isComplete === true && facts.answer !== null && facts.answer.objects === 0;
  const selected = chosen === null ? -1 : nodes.findIndex((_node, at) => itemAt(at)?.key === chosen.key);
  const error = openMap.error ?? (tree.error === null ? null : appErrorOf(tree.error));
  return (
    <section
      className={joinClasses(common.column, common.fill, classes.page)}
      aria-label={t('map.title', { name })}
    >
      <h1 className="visually-hidden">{t('map.title', { name })}</h1>
      <Group flex="none" gap="xs" py="xs" px="sm" role="toolbar" aria-label={t('map.toolbar')}>
        <SegmentedControl
          size="xs"
          aria-label={t('map.measure.label')}
          value={measure}
          onChange={(next) => look.set({ ...look.value, measure: next })}
          data={mapMeasures.map((value) => ({ value, label: t(`map.measure.${value}`) }))}
        />
        <NativeSelect
          size="xs"
          aria-label={t('map.colouring.label')}
          value={colouring}
          onChange={({ currentTarget }) =>
            look.set({ ...look.value, colouring: z.enum(mapColourings).parse(currentTarget.value) })
          }
          data={mapColourings.map((value) => ({ value, label: t(`map.colouring.${value}`) }))}
        />
        <span className={common.fill} />
        {isWalking ? (
          <Button
            variant="default"
            leftSection={<Square size={12} aria-hidden />}
            onClick={() => sayingFailure(() => rpc.map.stop({ mapId }))}
          >
            {t('map.stop')}
          </Button>
        ) : (
          <Button
            variant="default"
            leftSection={<RotateCw size={13} aria-hidden />}
            disabled={status === null && openMap.error === null}
            onClick={openMap.refresh}
          >
            {t('map.refresh')}
          </Button>
        )}
        <MenuButton
          position="bottom-end"
          renderButton={(attributes) => (
            <Button
              variant="default"
              disabled={nodes.length === 0}
              leftSection={<FileDown size={13} aria-hidden />}
              rightSection={<ChevronDown size={13} aria-hidden />}
              {...attributes}
            >
              {t('map.export.menu')}
            </Button>
          )}
        >
          <MenuEntries
            groups={[
              (['csv', 'csv-bom', 'json', 'png'] as const).map((format) => ({
                label: t(format === 'csv-bom' ? 'common.csvForExcel' : `map.export.${format}`),
                run: () => exportAs(format),
              })),
            ]}
          />
        </MenuButton>
      </Group>
      {error === null ? null : (
        <Box pb="xs" px="sm">
          <ErrorNotice error={error} onRetry={openMap.refresh} permission="s3:ListBucket" />
        </Box>
      )}
      {status === null ? null : (
        <MapStatusLine status={status} objects={facts.answer} onRetry={openMap.refresh} />
      )}
      {isEmpty ? (
        <EmptyState title={t('map.empty.title')} body={t('map.empty.body', { name })} />
      ) : (
        <div className={joinClasses(common.fill, classes.split)}>
          <Treemap
            nodes={nodes}
            measure={measure}
            colouring={colouring}
            storageClasses={storageClasses}
            label={t('map.picture', { name })}
            selected={selected}
            onSelect={(at) => setChosen(itemAt(at))}
            onOpen={openNode}
            onMenu={(at, point) => {
              if (itemAt(at) !== null) setMenuAt(point);
            }}
            onCanvas={(element) => {
              canvas.current = element;
            }}
          />
          <div ref={side} className={joinClasses(common.column, common.fixed, classes.side)}>
            <MapSide
              place={place}
              mapId={mapId}
              status={status}
              facts={facts.answer}
              filter={filter}
              colouring={colouring}
              storageClasses={storageClasses}
              measure={measure}
              services={services}
              onFilter={setFilter}
              onColouring={(next) => look.set({ ...look.value, colouring: next })}
              onSelect={setChosen}
              onOpen={open}
              onMenu={(item, point) => {
                setChosen(item);
                setMenuAt(point);
              }}
            />
          </div>
        </div>
      )}
      {/* oxlint-disable-next-line react/refs -- called when the menu closes, not while rendering */}
      {services.renderMenu({
        at: menuAt,
        items: chosen === null ? [] : [chosen],
        onClose: () => {
          setMenuAt(null);
          focus();
        },
        onOpen: open,
      })}
    </section>
  );
}
