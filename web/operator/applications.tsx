import { useState } from 'react';
import type { LookData } from '#contract/operator/looks.ts';
import { SCOPES } from '#contract/split-by-bytes/scopes.ts';
import { Button } from '#web/ui/button.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Card } from '#web/ui/sections.tsx';
import { changesOf, type PartProps } from './calls.ts';
import styles from './desk.module.css';
import { Acts, Entries, Shown, useLook } from './parts.tsx';
import { labelOf, momentOf, words } from './words.ts';

type Row = LookData<'applications list'>[number];
type Details = LookData<'applications show'>;

export const Applications = (props: PartProps) =>
  props.open ? <Application key={props.open} {...props} open={props.open} /> : <List {...props} />;

const FILTER_FROM = 12;
function List({ level, ways }: PartProps) {
  const look = useLook('applications list');
  const [sought, setSought] = useState('');
  const fits = ({ name, client_id: id, organization }: Row) =>
    `${name} ${id} ${organization}`.toLowerCase().includes(sought.trim().toLowerCase());
  return (
    <Shown look={look}>
      {({ data }) => {
        const entries = data
          .filter(fits)
          .map(({ name, client_id: id, kind, organization, paused_at: paused }) => ({
            id,
            title: name,
            hint: [id, kind, organization, paused && words.paused].filter(Boolean).join(' · '),
            href: `#applications/${id}`,
          }));
        return (
          <div className={styles.stack}>
            {data.length >= FILTER_FROM && (
              <TextField
                label={words.filter}
                type="search"
                value={sought}
                onChange={(event) => setSought(event.target.value)}
              />
            )}
            {entries.length === 0 && <p>{data.length === 0 ? words.noApplications : words.noneFits}</p>}
            <Entries label={words.applications} entries={entries} />
            <Acts
              names={changesOf(level, undefined, 'applications')}
              ways={ways}
              onDone={() => void look.refetch()}
            />
          </div>
        );
      }}
    </Shown>
  );
}

const yesOrNo = (is: boolean) => (is ? words.yes : words.no);
const whose = ({ organization, is_first_party: isFirstParty }: Details) =>
  organization ?? (isFirstParty ? words.firstParty : words.thirdParty);
const admitted = (of: number | null) =>
  of === null ? words.everybody : of === 0 ? words.anyMember : words.membersOf({ id: of });

const factsOf = (of: Details) => ({
  [words.state]: of.paused_at ? words.pausedSince({ at: momentOf(of.paused_at) }) : words.active,
  [words.description]: of.description,
  [words.clientId]: of.client_id,
  [words.kind]: of.kind,
  [words.belongsTo]: whose(of),
  [words.admits]: of.kind !== 'server' && admitted(of.members_of),
  [words.secrets]: of.secrets.map(({ created_at: at, ends_at: end }) =>
    end ? words.secretEnds({ at: momentOf(at), end: momentOf(end) }) : words.secretOf({ at: momentOf(at) }),
  ),
  [words.ownKeys]: of.public_keys !== null && words.publicKeys,
  [words.scopes]: SCOPES.join(', '),
  [labelOf('api')]: of.apis,
  [labelOf('start')]: of.start_url ?? '',
  [labelOf('redirect')]: of.redirect_urls,
  [labelOf('signed-out')]: of.signed_out_urls,
  [labelOf('logout-tokens')]: of.sign_out_url ?? '',
  [words.signature]: of.signing_algorithm,
  [labelOf('pkce')]: yesOrNo(of.requires_pkce),
  [labelOf('par')]: yesOrNo(of.requires_par),
  [labelOf('dpop')]: yesOrNo(of.requires_dpop),
  [words.created]: momentOf(of.created_at),
  [words.lastUsed]: of.last_used_at ? momentOf(of.last_used_at) : words.never,
});

/** Those of organizations can only be paused and removed. */
const ofSuite = /edit|rotate/;
function Application({ level, ways, open }: PartProps & { open: string }) {
  const subject = { application: open };
  const look = useLook('applications show', subject);
  const of = look.data?.data;
  const names = changesOf(level, 'application')
    .filter((name) => !name.endsWith(of?.paused_at ? 'pause' : 'resume'))
    .filter((name) => of?.organization === null || !ofSuite.test(name));
  return (
    <Card
      {...(of && { title: of.name })}
      actions={
        <Button size="small" href="#applications">
          {words.all}
        </Button>
      }
    >
      <Shown look={look}>{({ data }) => <Facts facts={factsOf(data)} />}</Shown>
      {of && (
        <Acts
          names={names}
          ways={ways}
          subject={subject}
          about={of.name}
          today={of.settings}
          onDone={(name) => {
            if (name === 'applications remove') location.hash = 'applications';
            else void look.refetch();
          }}
        />
      )}
    </Card>
  );
}
