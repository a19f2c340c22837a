import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

const deploy = path.join(import.meta.dirname, '../../deploy');

test('the rules for Prometheus fire when they should, and not otherwise', () => {
  const run = () =>
    execFileSync('promtool', ['test', 'rules', 'prometheus-rules.test.yml'], {
      cwd: deploy,
      encoding: 'utf8',
    });
  expect(run()).toContain('SUCCESS');
});
