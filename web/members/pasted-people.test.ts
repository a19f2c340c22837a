import { expect, test } from 'vitest';
import { peopleIn } from './pasted-people.ts';

const summaries = (text: string) =>
  peopleIn(text).map(
    ({ firstName, lastName, email, repeated }) =>
      `${firstName}|${lastName}|${email}${repeated ? ' again' : ''}`,
  );

test.each([
  ['', []],
  [' ,;\n\n ', []],
  ['tom.berg@x.example', ['Tom|Berg|tom.berg@x.example']],
  ['tom@x.example', ['Tom||tom@x.example']],
  [
    'a@x.example, b@x.example;c@x.example\nd@x.example',
    ['A||a@x.example', 'B||b@x.example', 'C||c@x.example', 'D||d@x.example'],
  ],
  ['a@x.example b@x.example', ['A||a@x.example', 'B||b@x.example']],
  ['Tom Berg <t@x.example>', ['Tom|Berg|t@x.example']],
  ['"Tom Berg" <t@x.example>', ['Tom|Berg|t@x.example']],
  ['"Berg, Tom" <t@x.example>, Ann <a@x.example>', ['Tom|Berg|t@x.example', 'Ann||a@x.example']],
  ['Berg, Tom <t@x.example>; Mori, Aiko <a@x.example>', ['Tom|Berg|t@x.example', 'Aiko|Mori|a@x.example']],
  ['Berg, Tom <t@x.example>, Mori, Aiko <a@x.example>', ['Tom|Berg|t@x.example', 'Aiko|Mori|a@x.example']],
  ['森 愛子 <a@x.example>, 森, 愛子 <b@x.example>', ['愛子|森|a@x.example', '愛子|森|b@x.example']],
  ['"김, 민준" <k@x.example>; a@x.example (森 愛子)', ['민준|김|k@x.example', '愛子|森|a@x.example']],
  ['Zoë Núñez 王 <z@x.example>', ['Zoë|Núñez 王|z@x.example']],
  ['"Núñez 王, Zoë" <z@x.example>', ['Zoë|Núñez 王|z@x.example']],
  ['María José García 王 <m@x.example>', ['María|José García 王|m@x.example']],
  ['Tom 王 <t@x.example>; 王 Tom <u@x.example>', ['Tom|王|t@x.example', 'Tom|王|u@x.example']],
  ['김 민 준 <k@x.example>; 森 <m@x.example>', ['민 준|김|k@x.example', '森||m@x.example']],
  ['Berg, Tom Erik <t@x.example>', ['Tom Erik|Berg|t@x.example']],
  ['nobody, "Berg, Tom" <t@x.example>', ['nobody||nobody', 'Tom|Berg|t@x.example']],
  ['nobody, <t@x.example>', ['nobody||nobody', 'T||t@x.example']],
  ['Tom\tBerg\tt@x.example', ['Tom|Berg|t@x.example']],
  ['t@x.example (Tom van der Berg)', ['Tom|van der Berg|t@x.example']],
  ['<mailto:tom@x.example>', ['Tom||tom@x.example']],
  ['mailto:tom@x.example', ['Tom||tom@x.example']],
  ["Pat O'Neil <pat@x.example>", ['Pat|ONeil|pat@x.example']],
  ['tom+work@x.example', ['Tom||tom+work@x.example']],
  ['t0m_berg-1@x.example', ['T0m|Berg|t0m_berg-1@x.example']],
  ['4711@x.example', ['4711||4711@x.example']],
  ['Tom@X.example, tom@x.example', ['Tom||Tom@X.example', 'Tom||tom@x.example again']],
  [
    'tom@x.example, ann@x.example, Tom <tom@x.example>',
    ['Tom||tom@x.example', 'Ann||ann@x.example', 'Tom||tom@x.example again'],
  ],
  ['Tom Berg <\u202Atom@my\u2011x.example\u202C>', ['Tom|Berg|tom@my-x.example']],
  ['Tom\u00A0Berg\u00A0tom＠x.example\u200B', ['Tom|Berg|tom@x.example']],
  ['tom@x.example\ntom@\u200Bx.example', ['Tom||tom@x.example', 'Tom||tom@x.example again']],
  ['no address here', ['no address here||no address here']],
  ['tom@', ['Tom||tom@']],
  ['a@x.example.', ['A||a@x.example']],
  ['He said "hello', ['He said "hello||He said "hello']],
])('%j', (text, people) => {
  expect(summaries(text)).toEqual(people);
});

test('a long name is cut to the length of a field', () => {
  const [person] = peopleIn(`${'Tom'.repeat(40)} <t@x.example>`);
  expect(person?.firstName).toHaveLength(80);
});

test('a large text is parsed quickly', () => {
  const text = Array.from({ length: 2000 }, (_, at) => `"Tom ${at}" <tom${at}@x.example>`).join('; ');
  expect(peopleIn(text)).toHaveLength(2000);
  expect(peopleIn('"'.repeat(50_000))).toHaveLength(1);
});
