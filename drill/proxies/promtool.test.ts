import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createMetrics } from '#server/metrics.ts';

const deploy = path.join(import.meta.dirname, '../../deploy');

test('the rules for Prometheus fire when they should, and not otherwise', () => {
  const run = () =>
    execFileSync('promtool', ['test', 'rules', 'prometheus-rules.test.yml'], {
      cwd: deploy,
      encoding: 'utf8',
    });
  expect(run()).toContain('SUCCESS');
});

test('the rules name only metrics that a process has', async () => {
  const metrics = createMetrics();
  metrics.watchProcess();
  const idle = { busy: 0, idle: 0, waiting: 0 };
  metrics.watchPools({ isStalled: () => false, standing: () => ({ changing: idle, reading: idle }) });
  const text = await metrics.text();
  const rules = readFileSync(path.join(deploy, 'prometheus-rules.yml'), 'utf8');
  const names = rules.match(/\b(portico|nodejs|process)_\w+/g) ?? [];
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !text.includes(`# TYPE ${name.replace(/_bucket$/, '')} `))).toEqual([]);
});
