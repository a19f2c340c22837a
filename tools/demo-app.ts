// A small application that signs people in through the portal: `npm run demo-app` after `npm run seed`.
import { readConfig } from '#server/config.ts';
import { DemoApp } from './demo-app/server.ts';
import { readSettings } from './demo-app/settings.ts';

const settings = readSettings(readConfig(process.env));
if (settings) {
  await new DemoApp(settings).start();
  console.log(`The demonstration application is ready: ${settings.url} (portal: ${settings.portal})`);
} else {
  console.error('No demonstration application is registered: run npm run seed first.');
  process.exitCode = 1;
}
