// Finds Chromium for the browser tests: at CHROMIUM_PATH or installed; installs it if there is none.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { chromium } from '@playwright/test';

// The headless shell draws no window, so browser tests take two thirds of the time.
const SHELL = 'chromium-headless-shell';
const names = [SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

const isRoot = process.getuid?.() === 0;

/** Installs one if none is found; if that fails, throws with the command to run. */
export function findBrowser(): string {
  const chosenPath = process.env['CHROMIUM_PATH'];
  if (chosenPath) {
    if (existsSync(chosenPath)) return chosenPath;
    throw new Error(`CHROMIUM_PATH names ${chosenPath}, and there is no such file.`);
  }
  const existing = findInstalled();
  // Root usually means a container, where installing the faster shell is acceptable.
  if (existing)
    return isRoot && path.basename(existing) !== SHELL ? (fromDebian([SHELL]) ?? existing) : existing;
  console.log('Installing Chromium…');
  for (const install of [() => fromDebian([SHELL, 'chromium']), fromPlaywright]) {
    const browser = install();
    if (browser) return browser;
  }
  const command = existsSync('/usr/bin/apt-get')
    ? `${isRoot ? '' : 'sudo '}apt-get install -y --no-install-recommends chromium`
    : 'npx playwright install chromium';
  throw new Error(`No Chromium was found, and none could be installed. Run: ${command}`);
}

function findInstalled(): string | undefined {
  const folders = ['/usr/bin', ...(process.env['PATH'] ?? '').split(path.delimiter)];
  const candidates = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return [...candidates, ...elsewhere, chromium.executablePath()].find(starts);
}

// Ubuntu's chromium-browser is a script that only asks for a snap, so the file's existence is not enough.
function starts(file: string): boolean {
  if (!existsSync(file)) return false;
  return process.platform === 'win32' || spawnSync(file, ['--version']).status === 0;
}

function fromDebian(packages: readonly string[]): string | undefined {
  if (!existsSync('/usr/bin/apt-get')) return undefined;
  if (!isRoot && spawnSync('sudo', ['-n', 'true']).status !== 0) return undefined;
  const apt = (...args: string[]) => {
    // Waits for another running installation.
    const options = ['-o', 'DPkg::Lock::Timeout=120', '-o', 'Acquire::http::Timeout=20'];
    const command = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', ...options, ...args];
    const [program = 'env', ...rest] = isRoot ? command : ['sudo', '-n', ...command];
    return spawnSync(program, rest).status === 0;
  };
  apt('update');
  const isThere = packages.some((name) => apt('install', '-y', '--no-install-recommends', name));
  return isThere ? findInstalled() : undefined;
}

function fromPlaywright(): string | undefined {
  const cli = path.join(import.meta.dirname, '../node_modules/@playwright/test/cli.js');
  spawnSync(process.execPath, [cli, 'install', 'chromium']);
  return findInstalled();
}
