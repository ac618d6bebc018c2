import { expect, type Page } from '@playwright/test';
import { costOfNavigation, countCommits } from '../../support/window/navigation-cost.ts';
import { goTo, grid, labBucket, numbered, rowOf, sidebarRow, test, typeAddress } from '../support/window.ts';

const folders = ['one/', 'two/', 'three/'];

async function openFolders(page: Page, address: string): Promise<void> {
  await countCommits(page);
  await page.goto(address);
  await expect(sidebarRow(page, 'Sample buckets')).toBeVisible();
  await goTo(page, 'Lab', 'cost');
  await expect(rowOf(page, 'three')).toBeVisible();
  // Visits each folder once, because the first visit loads code.
  for (const folder of folders) {
    await typeAddress(page, `cost/${folder}`);
    await expect(rowOf(page, `${folder.slice(0, -1)}-0000.txt`)).toBeVisible();
  }
}

test('a folder opens with at most two commits of React and one forced layout before its rows are painted', async ({
  page,
  cooper,
  lab,
}) => {
  await labBucket(
    lab,
    'cost',
    folders.flatMap((folder) => numbered(60, `${folder}${folder.slice(0, -1)}-`)),
  );
  await openFolders(page, await cooper.newAddress());
  await typeAddress(page, 'cost/');
  const costs = [];
  for (const [at, folder] of folders.entries()) {
    const name = folder.slice(0, -1);
    await rowOf(page, name).click();
    await expect(grid(page)).toBeFocused();
    costs.push(await costOfNavigation(page, 'Enter', `${name}-0000.txt`));
    await expect(rowOf(page, `${name}-0001.txt`)).toBeVisible();
    if (at < folders.length - 1) costs.push(await costOfNavigation(page, 'Alt+ArrowUp', 'three'));
    await expect(rowOf(page, at < folders.length - 1 ? 'three' : `${name}-0001.txt`)).toBeVisible();
  }
  for (const { commits, forcedLayouts } of costs) {
    expect(commits, JSON.stringify(costs)).toBeGreaterThan(0);
    expect(commits, JSON.stringify(costs)).toBeLessThanOrEqual(2);
    expect(forcedLayouts, JSON.stringify(costs)).toBeLessThanOrEqual(1);
  }
});
