import { expect, test } from 'vitest';
import { personName } from './person-name.ts';

test.each<[Parameters<typeof personName>, string]>([
  [['Ann', 'Lee', 'a@b.co'], 'Ann Lee'],
  [['Ann', '', 'a@b.co'], 'Ann'],
  [['', 'Lee', 'a@b.co'], 'Lee'],
  [['愛子', '森', 'a@b.co'], '森 愛子'],
  [['さくら', 'つばき', null], 'つばき さくら'],
  [['민준', '김', null], '김 민준'],
  [['愛子', '', null], '愛子'],
  [['愛子', 'Berg', null], '愛子 Berg'],
  [['Zoë', 'Núñez 王', null], 'Zoë Núñez 王'],
  [['愛子', 'Müller-森', null], '愛子 Müller-森'],
  [['Maya', '王', null], '王 Maya'],
  [['マヤ', 'リンドクヴィスト', null], 'マヤ リンドクヴィスト'],
  [['', '', 'a@b.co'], 'a@b.co'],
  [['', '', null], ''],
])('%j is called %j', (person, name) => {
  expect(personName(...person)).toBe(name);
});
