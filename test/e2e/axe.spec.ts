import { expect } from '@playwright/test';
import { axeFindings } from './support/axe.ts';
import { test } from './support/window.ts';

const pageOf = (body: string): string =>
  `<!doctype html><html lang="en"><head><title>A page</title></head><body>${body}</body></html>`;

test('axe findings are reported for the page and its frames, and only within the given scope', async ({
  page,
}) => {
  await page.setContent(pageOf('<main><h1>Here</h1><button>Go</button></main>'));
  expect(await axeFindings(page)).toEqual([]);
  await page.setContent(pageOf('<main><h1>Here</h1><button></button></main>'));
  expect(await axeFindings(page)).toEqual([expect.stringMatching(/^button-name: button/)]);
  expect(await axeFindings(page, 'h1')).toEqual([]);

  const inner = `<iframe title="Inner" srcdoc='${pageOf('<button></button>')}'></iframe>`;
  await page.setContent(pageOf(`<main><h1>Here</h1></main>${inner}`));
  // Axe omits a frame that takes more than a second to evaluate its script.
  await expect(async () => {
    expect(await axeFindings(page)).toContainEqual(expect.stringMatching(/^button-name: iframe button/));
  }).toPass();
});
