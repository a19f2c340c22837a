import { expect, test } from 'vitest';
import { Refusal } from '#contract/errors.ts';
import { fieldText } from '#words/field.ts';
import { serverFieldText } from '#words/server-field.ts';
import { partOf } from './rules.ts';

const { required } = fieldText;
const { unknownField } = serverFieldText;
test.each<[input: Parameters<typeof partOf>[0], part: 'profile' | 'contact' | Record<string, string>]>([
  [{ firstName: 'Maya' }, 'profile'],
  [{ firstName: 'Maya', lastName: '', timeZone: 'Etc/UTC' }, 'profile'],
  [{ email: 'a@b.example' }, 'contact'],
  [{ contactNumber: '1' }, 'contact'],
  [{ email: 'a@b.example', contactNumber: '1' }, 'contact'],
  [{}, { first_name: required }],
  [{ lastName: 'Berg' }, { first_name: required }],
  [{ firstName: 'Maya', email: 'a@b.example' }, { email: unknownField }],
  [{ designation: '', contactNumber: '1' }, { contact_number: unknownField }],
  [
    { country: 'Sweden', email: 'a@b.example', contactNumber: '1' },
    { email: unknownField, contact_number: unknownField },
  ],
])('%o belongs to the part %o, or is refused with these fields', (input, part) => {
  const result = partOf(input);
  expect(result instanceof Refusal ? result.detail.fields : Object.keys(result)[0]).toEqual(part);
});
