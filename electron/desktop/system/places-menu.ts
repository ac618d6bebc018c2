import path from 'node:path';
import { app, Menu, type JumpListItem } from 'electron';
import { z } from 'zod';
import { text } from '../../host/text.ts';

const storedSchema = z.array(z.object({ bucket: z.string(), prefix: z.string() }));
/** The maximum number of places. With more, there would be no room for the system's entries. */
const maxPlaces = 8;

export interface RecentPlace {
  readonly title: string;
  /** An `s3://` address without white space, quotes or other characters that a command line interprets. */
  readonly link: string;
}

/**
 * Returns the most recently opened folders from the window's stored state. Leaves out those with characters that a command line
 * interprets, or with a percent sign, which would be decoded in a link.
 */
export function recentPlaces(stored: unknown): readonly RecentPlace[] {
  const parsed = storedSchema.safeParse(stored);
  if (!parsed.success) return [];
  return parsed.data
    .filter(({ bucket, prefix }) => !`${bucket}${prefix}`.includes('%'))
    .map(({ bucket, prefix }) => ({
      title: `${bucket}/${prefix}`,
      link: `s3://${bucket}/${prefix.split('/').map(encodeURIComponent).join('/')}`,
    }))
    .filter(({ link }) => /^s3:\/\/[\w.~!*()/%-]+$/u.test(link))
    .slice(0, maxPlaces);
}

interface PlacesActions {
  readonly openLink: (link: string) => void;
  readonly openWindow: () => void;
}

/** Adds recent places and a new window to the menu of the icon: the dock menu on macOS, the jump list on Windows. */
export function showPlaces(places: readonly RecentPlace[], actions: PlacesActions): void {
  if (process.platform === 'darwin')
    app.dock?.setMenu(
      Menu.buildFromTemplate([
        ...places.map(({ title, link }) => ({ label: title, click: () => actions.openLink(link) })),
        { type: 'separator' },
        { label: text('menuNewWindow'), click: actions.openWindow },
      ]),
    );
  if (process.platform === 'win32')
    app.setJumpList([{ type: 'custom', name: text('recentPlaces'), items: places.map(jumpItem) }]);
}

function jumpItem({ title, link }: RecentPlace): JumpListItem {
  const program = process.env['PORTABLE_EXECUTABLE_FILE'] ?? process.execPath;
  return {
    type: 'task',
    title: title.slice(0, 255),
    description: link.slice(0, 260),
    program,
    args: `-- ${link}`,
    iconPath: path.resolve(program),
    iconIndex: 0,
  };
}
