// The browser of the browser tests: the one named, one on this machine, or one installed here and now.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { chromium } from '@playwright/test';

// The shell has no window of its own to draw, so pages open sooner in it.
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
];
const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

const isRoot = process.getuid?.() === 0;

/** The path of a Chromium that starts; installs one when there is none, and throws with the command to run when that fails. */
export function findBrowser(): string {
  const named = process.env['CHROMIUM_PATH'];
  if (named) {
    if (existsSync(named)) return named;
    throw new Error(`CHROMIUM_PATH names ${named}, and there is no such file.`);
  }
  const found = installed();
  if (found) return found;
  console.log('Installing Chromium…');
  for (const install of [fromDebian, fromPlaywright]) {
    const browser = install();
    if (browser) return browser;
  }
  const command = existsSync('/usr/bin/apt-get')
    ? `${isRoot ? '' : 'sudo '}apt-get install -y --no-install-recommends chromium`
    : 'npx playwright install chromium';
  throw new Error(`No Chromium was found, and none could be installed. Run: ${command}`);
}

function installed(): string | undefined {
  const folders = ['/usr/bin', ...(process.env['PATH'] ?? '').split(path.delimiter)];
  const candidates = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return [...candidates, ...elsewhere, chromium.executablePath()].find(starts);
}

// Ubuntu ships a script named chromium-browser that only asks for a snap, so existing is not enough.
function starts(file: string): boolean {
  if (!existsSync(file)) return false;
  return process.platform === 'win32' || spawnSync(file, ['--version']).status === 0;
}

function fromDebian(): string | undefined {
  if (!existsSync('/usr/bin/apt-get')) return undefined;
  if (!isRoot && spawnSync('sudo', ['-n', 'true']).status !== 0) return undefined;
  const apt = (...args: string[]) => {
    // Somebody else may be installing, and ends.
    const patient = ['-o', 'DPkg::Lock::Timeout=120'];
    const command = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', ...patient, ...args];
    const [program = 'env', ...rest] = isRoot ? command : ['sudo', '-n', ...command];
    return spawnSync(program, rest).status === 0;
  };
  apt('update');
  const isThere = ['chromium-headless-shell', 'chromium'].some((name) =>
    apt('install', '-y', '--no-install-recommends', name),
  );
  return isThere ? installed() : undefined;
}

function fromPlaywright(): string | undefined {
  const cli = path.join(import.meta.dirname, '../node_modules/@playwright/test/cli.js');
  spawnSync(process.execPath, [cli, 'install', 'chromium']);
  return installed();
}
