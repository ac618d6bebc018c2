import { expect } from '@playwright/test';
import { startCooper, type RunningCooper } from '../support/window/start-cooper.ts';
import { test } from './support/window.ts';

let cooper: RunningCooper;
test.beforeAll(async () => {
  cooper = await startCooper();
});
test.afterAll(async () => {
  await cooper.end();
});

test('the printed address opens the window without a policy violation', async ({ page }) => {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(await cooper.newAddress());
  await expect(page.getByText('Sample buckets').first()).toBeVisible();
  expect(complaints).toEqual([]);
  expect(new URL(page.url()).hash).toBe('');
});

test("a reload keeps the tab's session, and the code in the address is used up", async ({
  page,
  context,
}) => {
  const address = await cooper.newAddress();
  await page.goto(address);
  await expect(page.getByText('Sample buckets').first()).toBeVisible();
  await page.reload();
  await expect(page.getByText('Sample buckets').first()).toBeVisible();

  const other = await context.newPage();
  await other.goto(address);
  await expect(other.getByText('npm start').first()).toBeVisible();
  await expect(other.getByText('Sample buckets')).toHaveCount(0);
});

test('the window can run no foreign script and open no other site', async ({ page }) => {
  await page.goto(await cooper.newAddress());
  await expect(page.getByText('Sample buckets').first()).toBeVisible();
  const ran = await page.evaluate(async () => {
    const inline = document.createElement('script');
    inline.textContent = 'window.ranInline = true';
    document.body.append(inline);
    const reached = await fetch('http://127.0.0.1:1/').then(
      () => 'reached',
      (error: unknown) => String(error),
    );
    return { inline: 'ranInline' in window, reached };
  });
  expect(ran.inline).toBe(false);
  expect(ran.reached).toContain('TypeError');
});

test('another site cannot frame the window', async ({ page }) => {
  const { origin } = new URL(await cooper.newAddress());
  await page.setContent(`<iframe src="${origin}/"></iframe>`);
  await expect(page.frameLocator('iframe').getByText('Sample buckets')).toHaveCount(0);
  await expect(page.frameLocator('iframe').locator('#root')).toHaveCount(0);
});
