import { defineConfig } from '@playwright/test';
import { northwind } from '#server/testing/brands.ts';

const browser = process.env['CHROMIUM_PATH'];
const reportFile = process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'];
const gallery = process.env['GALLERY'];
const longest = 'Northwind Accounts and Identity Services';
const brands = {
  yellow: { ...northwind, colour: '#ffd400' },
  black: { ...northwind, colour: '#000000', name: longest },
  red: { ...northwind, colour: '#c8102e' },
};
/** `npm run gallery` makes pictures instead of running tests; `npm run gallery -- translated` tries all screens. */
const tests: Record<string, string> = { tests: '**/*.e2e.ts', translated: '**/translated.e2e.ts' };
const isRoot = process.getuid?.() === 0;

export default defineConfig<object, { brand: object }>({
  testDir: 'e2e',
  testMatch: tests[gallery ?? 'tests'] ?? '**/*.gallery.ts',
  ...(gallery?.startsWith('brands') && {
    projects: Object.entries(brands).map(([name, brand]) => ({ name, use: { brand } })),
  }),
  fullyParallel: true,
  workers: 2,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: reportFile ? [['dot'], ['json', { outputFile: reportFile }]] : [['line']],
  use: {
    trace: 'off',
    // Motion costs CPU and time. The tests of whole days, popups and focus keep it.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(browser ? { executablePath: browser } : {}),
      args: [
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        // The headless shell rounds the widths of letters to whole pixels unless told.
        '--font-render-hinting=none',
        // A page lives for about a second, so compiling its hot code costs more than it saves.
        '--js-flags=--no-opt --no-maglev',
        // Chromium's sandbox refuses to start as root.
        ...(isRoot ? ['--no-sandbox'] : []),
      ],
    },
  },
});
