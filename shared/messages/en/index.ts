import { common } from './common.ts';
import { connections } from './connections.ts';
import { errors } from './errors.ts';
import { objects } from './objects.ts';
import { requestLog } from './requestLog.ts';
import { settings } from './settings.ts';

/** What the window can say in English. */
export const en = { common, connections, errors, objects, requestLog, settings } as const;
