import { expect } from '@playwright/test';
import {
  asksForLink,
  changeSettings,
  findLongDownload,
  keptSettings,
  longDownload,
  passesPolicy,
  samplesOpen,
  startLongDownload,
  waysToNode,
} from '../e2e/support/flows.ts';
import { answerQuestions, questionsAsked, startAgain, test } from './electron.ts';

test("the window opens the program's own page, and the sample buckets open", async ({ launch }) => {
  const { page } = await launch();
  expect(page.url()).toMatch(/^cooper:\/\/app\//);
  await samplesOpen(page);
});

test('the page has no Node, and only three functions of the program', async ({ launch }) => {
  const { page } = await launch();
  await samplesOpen(page);
  expect(await waysToNode(page)).toEqual([]);
  const bridge = await page.evaluate(() =>
    Object.entries(Reflect.get(globalThis, 'cooper') as object).map(([name, value]) => [name, typeof value]),
  );
  expect(Object.fromEntries(bridge)).toEqual({
    connect: 'function',
    onCommand: 'function',
    droppedFile: 'function',
  });
});

test('the policy blocks inline script, eval, frames and foreign origins', async ({ launch }) => {
  const { page } = await launch();
  await samplesOpen(page);
  expect(await passesPolicy(page)).toEqual([]);
});

test('the page cannot navigate away or open a window', async ({ launch }) => {
  const { page } = await launch();
  await samplesOpen(page);
  expect(await page.evaluate(() => window.open('http://127.0.0.1:1/') === null)).toBe(true);
  await page.evaluate(() => {
    window.location.href = 'https://example.com/';
  });
  await samplesOpen(page);
  expect(page.url()).toMatch(/^cooper:\/\/app\//);
});

test('a second start with a link exits and makes the first window ask for confirmation', async ({
  launch,
  dataDir,
}) => {
  const { electron, page } = await launch();
  await samplesOpen(page);
  await asksForLink(page, async () => {
    expect(await startAgain(dataDir, 's3://documents/settings/')).toBe(0);
  });
  expect(electron.windows()).toHaveLength(1);
});

test('quitting during a transfer asks first, and the transfer resumes at the next start', async ({
  launch,
  dataDir,
}) => {
  const { electron, page } = await launch();
  await samplesOpen(page);
  // The system's dialog cannot be driven, so it is replaced: it returns the folder of the test.
  await electron.evaluate(({ dialog }, folder) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [folder] });
  }, dataDir);
  await startLongDownload(page, () => Promise.resolve());
  await answerQuestions(electron, 1);
  await electron.evaluate(({ app }) => {
    app.quit();
  });
  await expect.poll(() => questionsAsked(electron)).toBe(1);
  await expect(longDownload(page)).toBeVisible();
  await answerQuestions(electron, 0);
  const closed = electron.waitForEvent('close');
  await electron.evaluate(({ app }) => {
    app.quit();
  });
  await closed;
  const { page: next } = await launch();
  await findLongDownload(next);
});

test('settings persist over a restart', async ({ launch }) => {
  const { electron, page } = await launch();
  await samplesOpen(page);
  await changeSettings(page);
  await electron.close();
  const { electron: again, page: next } = await launch();
  await keptSettings(next);
  expect(await again.evaluate(({ nativeTheme }) => nativeTheme.themeSource)).toBe('dark');
});

test('the window reopens at its last position', async ({ launch }) => {
  const { electron } = await launch();
  await electron.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.setBounds({ x: 60, y: 70, width: 900, height: 640 });
  });
  await electron.close();
  const { electron: again } = await launch();
  const size = await again.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getSize());
  expect(size).toEqual([900, 640]);
});
