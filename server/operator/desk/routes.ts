import type { FastifyInstance } from 'fastify';
import type { Endpoint, Input } from '#contract/endpoint.ts';
import { deskActs, deskAnswer, deskCall } from '#contract/operator/desk.ts';
import type { Deps } from '#server/deps.ts';
import type { Lookups } from '#server/http/gate.ts';
import { type Handlers, serve } from '#server/http/serve.ts';
import { answerRequest, runAtDesk, waitsForServer } from './actions.ts';

type Calls = Record<string, Endpoint>;
type Values = Readonly<Record<string, unknown>>;

/** The calls of the table of acts, and the answer of a second operator. */
export function mountActs(desk: FastifyInstance, deps: Deps, lookups: Lookups) {
  const calls: Calls = { answer: deskAnswer };
  const handlers: Record<string, Handlers<Calls>[string]> = {
    answer: ({ input, caller, origin }) =>
      answerRequest(deps, caller, origin, input as Input<typeof deskAnswer>),
  };
  for (const name of deskActs) {
    calls[name] = { ...deskCall(name), ...(waitsForServer(name) && { waitsElsewhere: true as const }) };
    handlers[name] = ({ input, caller, origin }) => runAtDesk(deps, caller, origin, name, input as Values);
  }
  serve(desk, calls, handlers, lookups);
}
