import { Refusal } from '#contract/errors.ts';

/** RFC 7644, 3.12. */
type ScimType =
  | ('invalidFilter' | 'invalidPath' | 'invalidValue' | 'invalidSyntax')
  | ('noTarget' | 'tooMany' | 'uniqueness');

/** A refusal in the words of SCIM. A program reads it, so it is in English. */
export class ScimRefusal extends Refusal<'malformed_request'> {
  readonly status: number;
  readonly scimType: ScimType | undefined;
  readonly words: string;
  constructor(status: number, words: string, scimType?: ScimType) {
    super('malformed_request');
    this.status = status;
    this.words = words;
    this.scimType = scimType;
  }
}

export const invalid = (scimType: ScimType, words: string) => new ScimRefusal(400, words, scimType);
export const takenError = (words: string) => new ScimRefusal(409, words, 'uniqueness');
export const unknown = (what: 'user' | 'group') => new ScimRefusal(404, `There is no such ${what}.`);
