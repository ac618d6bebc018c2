import { SegmentedControl } from '@mantine/core';
import { memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import common from '../../../ui/common.module.css';
import { withKeys } from '../../../ui/keyboard/commands.ts';
import { useFolderView, viewFacts, type FolderView } from './folder-views.ts';
import type { FolderPlace } from '../rows/place.ts';
import classes from '../list.module.css';

interface ViewSwitchProps {
  readonly place: Pick<FolderPlace, 'connectionId' | 'bucket'>;
  /** The views that the page offers. */
  readonly views: readonly FolderView[];
}

/** The buttons that choose the view of a bucket's folders and search results. */
export function ViewSwitch({ place, views }: ViewSwitchProps) {
  const { view, setView } = useFolderView(place);
  return <ViewButtons views={views} view={views.includes(view) ? view : 'list'} onView={setView} />;
}

interface ViewButtonsProps {
  readonly views: readonly FolderView[];
  readonly view: FolderView;
  readonly onView: (view: FolderView) => void;
}

const ViewButtons = memo(function ViewButtons({ views, view, onView }: ViewButtonsProps) {
  const { t } = useTranslation();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('objects.views.label')}
      className={common.fixed ?? ''}
      value={view}
      onChange={onView}
      data={views.map((folderView) => {
        const { icon: Icon, command } = viewFacts[folderView];
        const name = t(`objects.views.${folderView}`);
        return {
          value: folderView,
          label: (
            <span className={classes.viewChoice} title={withKeys(name, command)}>
              <Icon size={15} aria-hidden />
              <span className="visually-hidden">{name}</span>
            </span>
          ),
        };
      })}
    />
  );
});

interface HiddenInMapProps {
  readonly place: Pick<FolderPlace, 'connectionId' | 'bucket'>;
  readonly children: ReactNode;
}

/** Renders its children except in the map view, where for example the details button has no use. */
export function HiddenInMap({ place, children }: HiddenInMapProps) {
  return useFolderView(place).view === 'map' ? null : children;
}
