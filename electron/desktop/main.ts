import os from 'node:os';
import path from 'node:path';
import { app, dialog } from 'electron';
import { defaultDataDir, prepareDataDir } from '../host/data-dir.ts';
import { detailOf, exitFailure, StartProblem } from '../host/problem.ts';
import { text } from '../host/text.ts';
import { electronDir, runDesktop } from './app.ts';
import { registerScheme } from './scheme.ts';

const print = (line: string): void => {
  console.log(line);
};

try {
  const asked = app.commandLine.getSwitchValue('data-dir');
  const usual = defaultDataDir({ platform: process.platform, env: process.env, home: os.homedir() });
  const dataDir = prepareDataDir(asked === '' ? usual : path.resolve(asked));
  app.setName('Cooper');
  app.setPath('userData', electronDir(dataDir));
  app.enableSandbox();
  registerScheme();
  await app.whenReady();
  await runDesktop({ dataDir, print });
} catch (thrown) {
  const sentence =
    thrown instanceof StartProblem ? thrown.message : text('startFailed', { detail: detailOf(thrown) });
  // Started from a menu there is no terminal to read it in.
  print(sentence);
  dialog.showErrorBox(text('dialogStartFailedTitle'), sentence);
  app.exit(thrown instanceof StartProblem ? thrown.exitStatus : exitFailure);
}
