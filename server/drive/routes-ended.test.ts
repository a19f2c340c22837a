import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { iconForm, skipDrawing, tinyPng } from '#server/testing/icons.ts';
import { confirmed, type Person } from '#server/testing/people.ts';
import { deleteRows } from '#server/testing/rows.ts';
import { organizationOf } from '#server/testing/staff.ts';
import { fingerprint } from '#server/testing/untouched.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp();
beforeAll(() => skipDrawing(app));

/** Resolves once the gate has accepted an upload. The server reads its body from then on. */
function letIn(): Promise<void> {
  const { limiter } = app.deps;
  const take = limiter.take.bind(limiter);
  return new Promise((resolve) => {
    const spy = vi.spyOn(limiter, 'take').mockImplementation((...args) => {
      if (args[0] === 'uploadsHour') resolve();
      return take(...args);
    });
    onTestFinished(() => spy.mockRestore());
  });
}

/** Sends the end of a form only after `meanwhile`. Returns the answer's status and body. */
async function heldBack(
  { visitor }: Person,
  path: string,
  form: FormData,
  meanwhile: () => Promise<unknown>,
) {
  const whole = new Response(form);
  const bytes = Buffer.from(await whole.arrayBuffer());
  const turn = letIn();
  const headers = {
    cookie: `portico=${visitor.session}`,
    'content-type': whole.headers.get('content-type') ?? '',
    'content-length': bytes.length,
  };
  const upload = request(new URL(path, app.url), { method: 'POST', headers });
  const answer = new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    upload.on('error', reject);
    upload.on('response', (answer) => {
      text(answer).then((body) => resolve({ status: answer.statusCode, text: body }), reject);
    });
  });
  upload.write(bytes.subarray(0, -40));
  await turn;
  await meanwhile();
  upload.end(bytes.subarray(-40));
  return answer;
}

const pictureForm = () => {
  const form = new FormData();
  form.set('permission', '1');
  form.set('file', new File([new Uint8Array(tinyPng)], 'me.png', { type: 'image/png' }));
  return form;
};

test.for(['/drive/profile', '/drive/appicon'])(
  '%s: an upload whose session ends before its last bytes changes nothing (D6)',
  async (path) => {
    const maya = await confirmed(app);
    const { orgId } = await organizationOf(maya);
    const form = path === '/drive/profile' ? pictureForm() : iconForm(orgId);
    const end = () => deleteRows(app, 'sessions', { user_id: maya.id });
    const { sessions: _before, ...before } = await fingerprint(app.deps.sql);
    const { status, text } = await heldBack(maya, path, form, end);
    expect([status, text]).toEqual([401, expect.stringContaining('not_signed_in')]);
    const { sessions: _after, ...after } = await fingerprint(app.deps.sql);
    expect(after).toEqual(before);
  },
);

test('a slow upload is accepted while its session lasts', async () => {
  const maya = await confirmed(app);
  const { status } = await heldBack(maya, '/drive/profile', pictureForm(), async () => undefined);
  expect(status).toBe(200);
});
