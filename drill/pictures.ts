import { tinyPng } from '#server/testing/icons.ts';
import type { Person } from './people.ts';
import type { Stage } from './stage.ts';

export interface Picture {
  readonly person: Person;
  readonly fileId: string;
}

const callDrive = (stage: Stage, { cookie, from }: Person, path: string, body?: FormData) =>
  fetch(`${stage.url}/drive/profile${path}`, {
    ...(body && { method: 'POST', body }),
    headers: { cookie, 'x-forwarded-for': from },
  });

export async function uploadPicture(stage: Stage, person: Person): Promise<Picture | undefined> {
  const form = new FormData();
  form.set('file', new File([new Uint8Array(tinyPng)], 'me.png'));
  form.set('permission', '1');
  try {
    const answer = await callDrive(stage, person, '', form);
    const { response } = (await answer.json()) as { response?: { file_id: string } };
    return response && { person, fileId: response.file_id };
  } catch {
    // The answer was cut, so the picture may exist or not; the invariants check that it is not partial.
    return undefined;
  }
}

export async function lostPictures(stage: Stage, pictures: readonly Picture[]): Promise<string[]> {
  const breaches: string[] = [];
  for (const { person, fileId } of pictures) {
    const answer = await callDrive(stage, person, `?file_id=${fileId}`);
    const { byteLength } = await answer.arrayBuffer();
    if (!answer.ok || byteLength === 0)
      breaches.push(`the picture of ${person.id} is answered ${answer.status}`);
  }
  return breaches;
}
