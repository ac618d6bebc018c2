import path from 'node:path';
import { app, Menu, type JumpListItem } from 'electron';
import { z } from 'zod';
import { text } from '../../host/text.ts';

const storedSchema = z.array(z.object({ bucket: z.string(), prefix: z.string() }));
/** More would push the system's own entries off the menu. */
const maxPlaces = 8;

export interface RecentPlace {
  readonly title: string;
  /** An `s3://` address without white space, quotes or anything else that a command line reads. */
  readonly link: string;
}

/**
 * Returns the folders opened last, of the state that the window stores. Leaves out those whose address would need characters that a
 * command line reads, or a percent sign, which a link takes for an encoded character.
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

/** Offers recent places and a new window behind the icon: in the dock's menu, or in the jump list of the taskbar. */
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
