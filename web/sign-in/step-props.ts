import type { Output } from '#contract/endpoint.ts';
import type { secondStep } from '#contract/sign-in/second-step.ts';

/** The props of each form of the second step. */
export type StepProps = {
  /** Back to address and password, with a reason if the person did not ask for it. */
  onBack: (why?: string) => void;
  onDone: (answer: Output<typeof secondStep.verifyCode>) => Promise<void>;
};
