import { recovery } from '#contract/sign-in/recovery.ts';
import { recoveryText } from '#words/recovery.ts';
import { takeDigest } from '#web/public-pages/digest.ts';
import type { PublicPage } from '#web/public-pages/public-page.ts';
import { LockOut } from './lock-out.tsx';

const text = recoveryText.notMe;
const digest = takeDigest();

const NotMePage = () => <LockOut digest={digest} call={recovery.notMe} words={text} />;

export const page: PublicPage = { title: text.title, View: NotMePage };
