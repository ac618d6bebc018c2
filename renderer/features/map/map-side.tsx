import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MapChanges } from './map-changes.tsx';
import { MapLists } from './map-lists.tsx';
import { MapTable } from './map-table.tsx';
import { MapTotals } from './map-totals.tsx';
import type { MapSideProps } from './side-props.ts';
import classes from './map.module.css';

const panels = ['totals', 'table', 'objects', 'changes'] as const;

/**
 * The panels next to the picture: totals with the legend, the same as a table, the largest and oldest objects, and the changes.
 */
export function MapSide(props: MapSideProps) {
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
      <div className={classes.panel}>
        {panel === 'totals' ? <MapTotals {...props} /> : null}
        {panel === 'table' ? <MapTable {...props} /> : null}
        {panel === 'objects' ? <MapLists {...props} /> : null}
        {panel === 'changes' ? <MapChanges {...props} /> : null}
      </div>
    </>
  );
}
