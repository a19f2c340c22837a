import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { mailText } from '#words/mail.ts';
import { type Brand, showBrand } from '#server/brand/brand.ts';
import { looksLikeDanger } from '#server/brand/colours.ts';
import { brandOf, readFolder } from '#server/brand/folder.ts';
import { brandHead, siteOfBrand } from '#server/brand/serve.ts';
import type { Config } from '#server/config.ts';
import { escapeHtml } from '#server/html.ts';
import { drawPages } from '#server/http/drawn-pages.ts';
import { builtWebApp } from '#server/http/web-page.ts';
import { createImages } from '#server/images.ts';
import { mailOf } from '#server/mail/frame.ts';
import { siteOf } from '#server/site.ts';
import { plainly } from './here.ts';
import { Plain } from './plain.ts';
import type { Site, Told } from './site.ts';

const DANGER =
  'The colour is close to the red of danger: buttons that act and buttons that do harm will look alike.';

export const checkBrand = ({ config }: Pick<Site, 'config'>): Promise<Told> =>
  plainly(async () => {
    const contents = readFolder(config);
    if (!contents) throw new Plain(`There is no folder ${config.brandDir}, so the portal shows no brand.`);
    const brand = await brandOf(contents, config, createImages());
    showBrand(brand);
    const file = path.join(config.dataDir, 'brand-check.html');
    mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(file, await specimens(config, brand));
    const warnings = brand.colour && looksLikeDanger(brand.colour) ? [DANGER] : [];
    return {
      lines: [`${brand.name}: the folder is right.`, ...warnings, `Open ${file} to look at it.`],
      data: { name: brand.name, warnings, page: file },
    };
  });

const dialog = `<div class="dialog-viewport"><div class="dialog-popup dialog-normal"><header class="dialog-head"><h2 class="dialog-title">Remove this device?</h2>
<p class="dialog-description">Maya is signed out on it.</p></header><div class="dialog-footer"><button class="button-button button-secondary">Cancel</button>
<button class="button-button button-danger">Remove device</button><button class="button-button button-primary">Save changes</button></div></div></div>`;
const table = `<div style="padding:32px"><table class="table-table"><thead><tr><th>Name</th><th>Role</th><th>Status</th></tr></thead><tbody>
<tr><td><a href="#">Maya Lindqvist</a></td><td>Admin</td><td><span class="pill-pill pill-good">Active</span></td></tr>
<tr aria-selected="true"><td><a href="#">Tom Okafor</a></td><td>Member</td><td><span class="pill-pill pill-warn">Invited</span></td></tr></tbody></table></div>`;

/** Sign-in, dialog, table and mail in both themes, in one file without a server. */
async function specimens(config: Config, brand: Brand): Promise<string> {
  const language = config.languages[0] ?? 'en';
  const site = { ...siteOf(config), ...siteOfBrand(brand, language) };
  const isBuilt = existsSync(path.join(builtWebApp, 'draw.js'));
  const signIn = isBuilt && (await drawPages(builtWebApp, { site, language }))['/login'];
  // These two are for pages that the server writes.
  const sheets = globSync('assets/*.css', { cwd: builtWebApp }).filter(
    (name) => !/social-return|destination/.test(name),
  );
  const css = sheets.map((name) => readFileSync(path.join(builtWebApp, name), 'utf8')).join('\n');
  const inline = (html: string) =>
    [...brand.files].reduce(
      (text, [at, { bytes, type }]) => text.replaceAll(at, `data:${type};base64,${bytes.toString('base64')}`),
      html.replaceAll('/assets/', `${pathToFileURL(builtWebApp).href}/assets/`),
    );
  const page = (body: string) => (theme: string) =>
    inline(`<!doctype html><html lang="${language}" data-theme="${theme}"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<style>${css}</style>${brandHead(brand).style}</head><body><div id="root">${body}</div></body></html>`);
  const { html } = mailOf(mailText.reset, {}, config.publicUrl.href)();
  const mail = (theme: string) =>
    html.replace('(prefers-color-scheme:dark)', theme === 'dark' ? 'all' : 'not all');
  const frames = ['light', 'dark'].flatMap((theme) =>
    [
      page(signIn ? signIn.whole : 'The pages are not built yet: npm run build'),
      page(dialog),
      page(table),
      mail,
    ].map((shown) => `<iframe srcdoc="${escapeHtml(shown(theme))}"></iframe>`),
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(brand.name)}</title>
<style>body{margin:16px;display:grid;gap:16px;grid-auto-flow:column;grid-template:repeat(4,auto)/auto auto;justify-content:start}iframe{width:1280px;height:720px;border:1px solid #8888;zoom:0.5}</style></head><body>${frames.join('\n')}</body></html>`;
}
