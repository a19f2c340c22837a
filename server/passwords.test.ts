import { describe, expect, test } from 'vitest';
import { Refusal } from '#contract/errors.ts';
import { openKeys } from '#server/keys.ts';
import { boundedQueue, createPasswords, type PasswordRecord } from '#server/passwords.ts';

const passwordsOf = (...secretKeys: string[]) =>
  createPasswords(openKeys({ secretKeys, dataDir: '/nowhere' }), { hashConcurrency: 2 });
const older = 'an-older-secret-of-32-characters';
const newer = 'a-newer-secret-with-32-characters';
const passwords = passwordsOf(older);

async function hashed(password: string, by = passwords): Promise<PasswordRecord> {
  const record = await by.hash(password, 'a');
  if (record instanceof Refusal) throw new Error(record.name);
  return record;
}

describe('hash and match', () => {
  test('a record is argon2id at the recommended cost, salted, and names its key', async () => {
    const [one, two] = await Promise.all([hashed('correct horse'), hashed('correct horse')]);
    expect(one.phc).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one.phc).not.toBe(two.phc);
    expect(one.keyId).toBe(openKeys({ secretKeys: [older], dataDir: '/nowhere' })[0].id);
    expect(JSON.stringify(one)).not.toContain('correct');
  });

  const sets: [name: string, set: string, tried: string, matches: boolean][] = [
    ['the same', 'correct horse', 'correct horse', true],
    ['another case', 'correct horse', 'Correct horse', false],
    ['a space more', 'correct horse', 'correct horse ', false],
    ['a part', 'correct horse', 'correct', false],
    ['nothing', 'correct horse', '', false],
    ['composed and decomposed letters', 'cafe\u0301-na\u00EFve', 'caf\u00E9-nai\u0308ve', true],
    ['full and half width', 'Ｐａｓｓ１２３４', 'Pass1234', true],
    ['a ligature and its letters', 'o\uFB03cial-x', 'official-x', true],
    ['an accent more', 'cafe-cafe', 'café-cafe', false],
    ['quotes, spaces and emoji', ' "\'<>🙂\t ', ' "\'<>🙂\t ', true],
    ['what follows a NUL', 'abcd\u0000efgh', 'abcd\u0000xxxx', false],
    ['the last of 128 characters', `${'a'.repeat(127)}b`, `${'a'.repeat(127)}c`, false],
    ['128 emoji', '🙂'.repeat(128), '🙂'.repeat(128), true],
  ];
  test.each(sets)('%s', async (_, set, tried, matches) => {
    expect(await passwords.matches(tried, await hashed(set), 'a')).toBe(matches);
  });

  test('without a record nothing matches, not even the stand-in’s own text', async () => {
    const [key] = openKeys({ secretKeys: [older], dataDir: '/nowhere' });
    for (const password of ['', 'anything', key.derive('dummy-password').toString('hex')])
      expect(await passwords.matches(password, undefined, 'a')).toBe(false);
  });
});

describe('keys that change', () => {
  test('a record of an older key still matches while that key is listed, and is to be replaced', async () => {
    const record = await hashed('correct horse');
    const rotated = passwordsOf(newer, older);
    expect(await rotated.matches('correct horse', record, 'a')).toBe(true);
    expect(await rotated.matches('wrong horse', record, 'a')).toBe(false);
    expect(rotated.isOutdated(record)).toBe(true);
    expect(passwords.isOutdated(record)).toBe(false);
    expect(rotated.isOutdated(await hashed('correct horse', rotated))).toBe(false);
  });

  test('the pepper matters: under another key’s name the right password does not match', async () => {
    const record = await hashed('correct horse');
    const [{ id: keyId }] = openKeys({ secretKeys: [newer], dataDir: '/nowhere' });
    expect(await passwordsOf(newer).matches('correct horse', { ...record, keyId }, 'a')).toBe(false);
  });

  test('a record whose key is gone is an error that says what to do, never a plain no', async () => {
    const record = await hashed('correct horse');
    await expect(passwordsOf(newer).matches('correct horse', record, 'a')).rejects.toThrow(
      `no key ${record.keyId}: keep older keys behind the newest one in SECRET_KEY`,
    );
  });

  test.each([
    '$argon2id$v=19$m=4096,t=2,p=1$x',
    '$argon2id$v=19$m=19456,t=1,p=1$x',
    '$argon2i$v=19$m=19456,t=2,p=1$x',
    '$2b$10$x',
  ])('%s is outdated', async (phc) => {
    const { keyId } = await hashed('x');
    expect(passwords.isOutdated({ phc, keyId })).toBe(true);
  });
});

/** A task that runs until it is told to end. */
function opened(started: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const task = () => (started.push(name), promise);
  return { task, end: () => resolve(name), fail: () => reject(new Error(name)) };
}
const settled = () => new Promise((resolve) => void setImmediate(resolve));

describe('boundedQueue', () => {
  test('runs some at once, lets some wait in order, refuses the rest at once', async () => {
    const queue = boundedQueue(2, 3);
    const started: string[] = [];
    const tasks = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => opened(started, name));
    const answers = tasks.map(({ task }) => queue(task));
    expect(await Promise.all(answers.slice(5))).toEqual([
      new Refusal('unavailable', { retryAfterSeconds: 2 }),
      new Refusal('unavailable', { retryAfterSeconds: 2 }),
    ]);
    expect(started).toEqual(['a', 'b']);
    const running: string[] = [];
    for (const { end } of [1, 0, 2, 3, 4].flatMap((at) => tasks[at] ?? [])) {
      end();
      await settled();
      running.push(started.join(''));
    }
    expect(running).toEqual(['abc', 'abcd', 'abcde', 'abcde', 'abcde']);
    expect(await Promise.all(answers.slice(0, 5))).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('askers take turns, however many places one of them holds (M4)', async () => {
    const queue = boundedQueue(1, 6);
    const started: string[] = [];
    const { task, end } = opened(started, 'running');
    void queue(task, 'flood');
    const waiting = (by: string, name: string) => queue(async () => started.push(name), by);
    const answers = ['flood 1', 'flood 2', 'flood 3', 'flood 4'].map((name) => waiting('flood', name));
    answers.push(waiting('home', 'home 1'), waiting('office', 'office 1'));
    end();
    await Promise.all(answers);
    expect(started.slice(1)).toEqual(['flood 1', 'home 1', 'office 1', 'flood 2', 'flood 3', 'flood 4']);
  });

  test('when it is full, who holds most places makes room, the last one first (M4)', async () => {
    const queue = boundedQueue(1, 4);
    const started: string[] = [];
    const { task, end } = opened(started, 'running');
    void queue(task);
    const waiting = async (by: string, name: string) => {
      const answer = await queue(async () => started.push(name), by);
      return answer instanceof Refusal ? `${name}: ${answer.name}` : name;
    };
    const flood = [1, 2, 3, 4].map((at) => waiting('flood', `flood ${at}`));
    const home = waiting('home', 'home');
    const second = waiting('home', 'second');
    // Two and two: whoever comes now would only trade places.
    const others = [waiting('flood', 'flood 5'), waiting('home', 'third')];
    end();
    expect(await Promise.all([...flood, home, second, ...others])).toEqual([
      'flood 1',
      'flood 2',
      'flood 3: unavailable',
      'flood 4: unavailable',
      'home',
      'second',
      'flood 5: unavailable',
      'third: unavailable',
    ]);
    expect(started.slice(1)).toEqual(['flood 1', 'home', 'flood 2', 'second']);
    expect(await queue(() => Promise.resolve('free again'))).toBe('free again');
  });

  test('who has waited long enough is refused and holds no place any more', async () => {
    const queue = boundedQueue(1, 2, 20);
    const started: string[] = [];
    const { task, end } = opened(started, 'running');
    const running = queue(task);
    const waiting = (by: string, name: string) => queue(async () => started.push(name), by);
    const refused = new Refusal('unavailable', { retryAfterSeconds: 2 });
    expect(await Promise.all([waiting('a', 'a 1'), waiting('b', 'b 1')])).toEqual([refused, refused]);
    const [later, last] = [waiting('a', 'a 2'), waiting('a', 'a 3')];
    end();
    await Promise.all([running, later, last]);
    expect(started).toEqual(['running', 'a 2', 'a 3']);
  });

  test('a task that fails passes its error on and frees its place', async () => {
    const queue = boundedQueue(1, 1);
    const started: string[] = [];
    const [first, second] = [opened(started, 'first'), opened(started, 'second')];
    const answers = [queue(first.task), queue(second.task)];
    first.fail();
    await expect(answers[0]).rejects.toThrow('first');
    await settled();
    expect(started).toEqual(['first', 'second']);
    second.end();
    expect(await answers[1]).toBe('second');
    expect(await queue(() => Promise.resolve('third'))).toBe('third');
  });

  test('never runs more than its bound, whatever comes and fails', async () => {
    const queue = boundedQueue(3, 1000);
    let [now, most] = [0, 0];
    const work = async (at: number) => {
      now += 1;
      most = Math.max(most, now);
      await settled();
      now -= 1;
      if (at % 3 === 0) throw new Error('now and then');
      return at;
    };
    const answers: Promise<string>[] = [];
    for (let at = 0; at < 60; at += 1) {
      answers.push(queue(() => work(at)).then(String, () => 'failed'));
      // Some come while others wait, so that a place which is handed on is not given away twice.
      if (at % 7 === 6) await settled();
    }
    const ends = await Promise.all(answers);
    expect([now, most]).toEqual([0, 3]);
    expect(ends.filter((end) => end === 'failed')).toHaveLength(20);
  });

  test('passwords share one: the running and 64 waiting are served, the next is refused (M4)', async () => {
    const busy = createPasswords(openKeys({ secretKeys: [older], dataDir: '/nowhere' }), {
      hashConcurrency: 0,
    });
    // With no place to run in, all 64 wait and are never woken, so nothing is computed here.
    for (let at = 0; at < 64; at += 1) void busy.hash('correct horse', 'a');
    expect(await busy.hash('correct horse', 'a')).toEqual(
      new Refusal('unavailable', { retryAfterSeconds: 2 }),
    );
    expect(await busy.matches('correct horse', undefined, 'a')).toBeInstanceOf(Refusal);
  });
});
