import { describe, expect, test } from 'vitest';
import { Refusal } from '#contract/errors.ts';
import { boundedQueue } from './bounded-queue.ts';

/** A task that runs until the test ends it. */
function opened(started: string[], name: string) {
  const { promise, resolve } = Promise.withResolvers<string>();
  const task = () => (started.push(name), promise);
  return { task, end: () => resolve(name) };
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

  test('networks take turns, however many of the tasks belong to one of them (M4)', async () => {
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

  test('in a full queue, the network with most tasks loses the last one (M4)', async () => {
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
    // Each network has two tasks, so a newcomer would only swap places.
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

  test('one network runs at most its share, and leaves the other slots to others', async () => {
    const queue = boundedQueue(4, 8, { slotsEach: 2 });
    const started: string[] = [];
    const tasks = Object.fromEntries(
      ['flood 1', 'flood 2', 'flood 3', 'flood 4', 'home 1', 'office 1', 'office 2', 'shop 1'].map((name) => [
        name,
        opened(started, name),
      ]),
    );
    const answers = Object.entries(tasks).map(([name, { task }]) => queue(task, name.split(' ')[0]));
    const startedAfter = async (name: string) => {
      started.length = 0;
      tasks[name]?.end();
      await settled();
      return [...started];
    };
    expect(started).toEqual(['flood 1', 'flood 2', 'home 1', 'office 1']);
    // The flood is first in turn but has its share; the office is next.
    expect(await startedAfter('home 1')).toEqual(['office 2']);
    expect(await startedAfter('flood 1')).toEqual(['flood 3']);
    expect(await startedAfter('office 1')).toEqual(['shop 1']);
    // A free slot stays free while all waiting networks have their share.
    expect(await startedAfter('office 2')).toEqual([]);
    expect(queue.waiting()).toBe(1);
    expect(await queue(() => Promise.resolve('at once'), 'home')).toBe('at once');
    expect(await startedAfter('flood 3')).toEqual(['flood 4']);
    for (const { end } of Object.values(tasks)) end();
    await Promise.all(answers);
  });

  test('the people of a network take turns, and the one with most tasks loses a place to another', async () => {
    const queue = boundedQueue(1, 4);
    const started: string[] = [];
    const { task, end } = opened(started, 'running');
    void queue(task, ['office', 'flood']);
    const waiting = async (network: string, name: string) => {
      const by = [network, name.split(' ')[0] ?? ''] as const;
      return (await queue(async () => started.push(name), by)) instanceof Refusal ? `no ${name}` : name;
    };
    const flood = [1, 2, 3, 4].map((nth) => waiting('office', `flood ${nth}`));
    const others = [
      waiting('office', 'maya 1'),
      waiting('home', 'tom 1'),
      // The queue is full, and one more would only swap two places.
      waiting('office', 'maya 2'),
    ];
    end();
    expect(await Promise.all([...flood, ...others])).toEqual([
      'flood 1',
      'flood 2',
      'no flood 3',
      'no flood 4',
      'maya 1',
      'tom 1',
      'no maya 2',
    ]);
    expect(started.slice(1)).toEqual(['flood 1', 'tom 1', 'maya 1', 'flood 2']);
  });

  test('a task whose patience ends is refused and frees its place', async () => {
    const queue = boundedQueue(1, 2, { patienceMs: 20 });
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

  test('time waited elsewhere counts for a task that would have to wait here', async () => {
    const queue = boundedQueue(1, 2, { patienceMs: 20 });
    const refused = new Refusal('unavailable', { retryAfterSeconds: 2 });
    expect(await queue(async () => 'at once', 'a', 30)).toBe('at once');
    const { task, end } = opened([], 'running');
    const running = queue(task);
    expect([queue.refusalFor('a', 20), queue.refusalFor('a', 19)]).toEqual([refused, undefined]);
    const [brief, none] = [queue(async () => 'never', 'a', 19), queue(async () => 'never', 'a', 20)];
    const patient = queue(async () => 'its turn', 'b');
    const first = await Promise.race([brief, patient]);
    expect([first, await none]).toEqual([refused, refused]);
    end();
    expect(await Promise.all([running, patient])).toEqual(['running', 'its turn']);
  });

  test('after a refusal callers wait less long, until one finds a free slot', async () => {
    const queue = boundedQueue(1, 2, { patienceMs: 900, overloadPatienceMs: 500 });
    const { task, end } = opened([], 'running');
    const isRefused = (waited: number) => queue.refusalFor('', waited) !== undefined;
    const running = queue(task);
    expect([isRefused(500), isRefused(899)]).toEqual([false, false]);
    // A caller that waited elsewhere is refused; this does not shorten the patience of others.
    expect([isRefused(900), isRefused(899)]).toEqual([true, false]);
    const admitted = opened([], 'admitted');
    const next = [queue(admitted.task, 'a'), queue(async () => 'b', 'b')];
    expect(await queue(async () => 'no place', 'c')).toBeInstanceOf(Refusal);
    end();
    await running;
    // The admitted task had to wait, so the overload goes on.
    expect([isRefused(500), isRefused(499)]).toEqual([true, false]);
    admitted.end();
    expect(await Promise.all(next)).toEqual(['admitted', 'b']);
    const again = opened([], 'again');
    const atOnce = queue(again.task);
    expect(isRefused(899)).toBe(false);
    again.end();
    await atOnce;
  });

  test('never runs more than its bound, whichever tasks come and fail', async () => {
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
      // Some arrive while others wait, because a slot that passes on must not be given away twice.
      if (at % 7 === 6) await settled();
    }
    const ends = await Promise.all(answers);
    expect([now, most]).toEqual([0, 3]);
    expect(ends.filter((end) => end === 'failed')).toHaveLength(20);
  });
});
