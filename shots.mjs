import { chromium } from '@playwright/test';
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
const port = 38471;
const child = spawn(process.execPath, ['server/main.ts'], {
  env: { PATH: process.env.PATH, PORT: port, DATA_DIR: mkdtempSync('/tmp/shots-'), GOOGLE_LOGIN: '1' },
  stdio: 'pipe',
});
await new Promise((r) => child.stdout.on('data', (t) => String(t).includes('ready') && r()));
const U = `http://localhost:${port}`;
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
for (const colorScheme of ['light', 'dark'])
  for (const [w, h] of [
    [1360, 900],
    [390, 844],
    [600, 700],
  ]) {
    const c = await b.newContext({ colorScheme, viewport: { width: w, height: h } });
    const p = await c.newPage();
    const shot = async (name, path, method) => {
      await c.clearCookies();
      if (method) await c.addCookies([{ name: 'portico-method', value: method, url: U }]);
      await p.goto(U + path);
      await p.waitForLoadState('networkidle');
      await p.screenshot({ path: `/tmp/shots-social/${name}-${colorScheme}-${w}.png` });
    };
    await shot('login', '/login', 'facebook');
    if (w !== 600) {
      await shot('login-pw', '/login', 'password');
      await shot('signup', '/signup', 'google');
    }
    await shot('return', '/api/auth/callback/google?state=x');
    await c.close();
  }
await b.close();
child.kill();
