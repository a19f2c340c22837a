import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { allowedRedirect } from './redirects.ts';

const config = readConfig({
  PUBLIC_URL: 'https://accounts.example',
  SIGN_URL: 'https://sign.example/app',
  SEO_URL: 'https://seo.example',
  ALLOWED_REDIRECTS: 'https://partner.example:8443',
});

test.each([
  'https://accounts.example',
  'https://accounts.example/northwind',
  'https://accounts.example/northwind/organization/role/7?x=1#part',
  'https://sign.example/api/documents',
  'https://sign.example/anywhere?x=1#/doc/7',
  'https://seo.example',
  'https://partner.example:8443/back',
  'HTTPS://SIGN.EXAMPLE/x',
])('goes to %o', (target) => {
  expect(allowedRedirect(config, target)?.href).toBe(new URL(target).href);
});

test.each([
  undefined,
  '',
  '/northwind',
  '//sign.example',
  'sign.example',
  'http://sign.example/',
  'https://sign.example:444/',
  'https://partner.example/',
  'https://sign.example.evil.example/',
  'https://evil.example/https://sign.example',
  'https://sign.example@evil.example/',
  'https://user@sign.example/',
  'https://user:pass@sign.example/',
  'https:\\\\sign.example/',
  'https://evil.example\\@sign.example/',
  'https:/sign.example',
  'https:///sign.example',
  ' https://sign.example/',
  'https://sign.example/\n',
  'https://sign.example/\u0000',
  '\thttps://sign.example/',
  '/\\sign.example',
  'https://sign.exam\tple/',
  'https://sіgn.example/',
  'https://sign.example%00.evil.example/',
  'javascript:alert(1)//https://sign.example',
  'data:text/html,x',
  'null',
])('never goes to %o (F1)', (target) => {
  expect(allowedRedirect(config, target)).toBeUndefined();
});

test.each([
  'https://accounts.example/api/auditlogs/export?format=csv',
  'https://accounts.example/%61pi/auditlogs/export',
  'https://accounts.example/northwind/../api/auditlogs/export',
  'https://accounts.example//api/auditlogs/export',
  'https://accounts.example/drive/profile/7',
  'https://accounts.example/login?redirectpath=/northwind',
  'https://accounts.example/robots.txt',
  'HTTPS://ACCOUNTS.EXAMPLE/metrics',
])('never goes to %o of our own origin (F9)', (target) => {
  expect(allowedRedirect(config, target)).toBeUndefined();
});
