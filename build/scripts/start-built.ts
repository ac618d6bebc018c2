import * as browserHost from '../../electron/browser/main.ts';
import { startCooper } from './start-cooper.ts';

/** Entry of `npm start` if the build is up to date. Built into `dist/start`, so that no TypeScript has to be loaded. */
await startCooper(process.argv.slice(2), () => Promise.resolve(browserHost));
