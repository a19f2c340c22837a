import { webhooksText as text } from '#words/webhooks.ts';
import { ORGANIZATION_EVENTS, type Webhook } from '#contract/webhooks/calls.ts';
import { EntryFormDialog, type FieldsProps, type FormProps } from '#web/registry/entry-form-dialog.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Optional, TextField } from '#web/ui/field.tsx';
import { FieldGrid, FullRow } from '#web/ui/sections.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { eventWords, registry } from './webhooks.ts';

const ALL = 'all';
const CHOSEN = 'chosen';

/** The values of the form. The chosen events are one text. */
const valuesOf = (webhook?: Webhook) => ({
  url: webhook?.url ?? '',
  description: webhook?.description ?? '',
  scope: webhook && webhook.events.length > 0 ? CHOSEN : ALL,
  events: webhook?.events.join(' ') ?? '',
});
type Values = ReturnType<typeof valuesOf>;

const eventsOf = (events: string) => events.split(' ').filter(Boolean);
const inputOf = ({ url, description, scope, events }: Values) => ({
  url,
  description,
  events: scope === ALL ? [] : eventsOf(events),
});
/** The server would take an empty choice as all events. */
const rules = ({ scope, events }: Values) =>
  scope === CHOSEN && events === '' ? { scope: text.noEvent } : {};

export const WebhookDialog = (props: FormProps<Webhook>) => (
  <EntryFormDialog
    {...props}
    registry={registry}
    initial={valuesOf(props.entry)}
    inputOf={inputOf}
    rules={rules}
    above={['webhook_limit_reached', 'account_not_confirmed']}
    Fields={Fields}
  />
);

type Props = Pick<FieldsProps<Webhook, Values>, 'form'>;

const Fields = ({ form }: Props) => (
  <>
    <TextField
      label={text.url}
      hint={text.urlHint}
      placeholder="https://example.com/webhooks"
      {...form.field('url')}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      inputMode="url"
      required
      wide
    />
    <TextField
      label={text.description}
      {...form.field('description')}
      aside={<Optional />}
      autoComplete="off"
      wide
    />
    <EventFields form={form} />
  </>
);

function EventFields({ form }: Props) {
  const chosen = eventsOf(form.values.events);
  const toggle = (event: string) => {
    const isOn = (one: string) => chosen.includes(one) !== (one === event);
    form.set('events', ORGANIZATION_EVENTS.filter(isOn).join(' '));
  };
  return (
    <>
      <SelectField
        label={text.events}
        options={[
          { value: ALL, label: text.allEvents },
          { value: CHOSEN, label: text.chosenEvents },
        ]}
        {...form.field('scope')}
        wide
      />
      {form.values.scope === CHOSEN && (
        <FullRow>
          <fieldset>
            <legend className="visually-hidden">{text.chosenEvents}</legend>
            <FieldGrid>
              {ORGANIZATION_EVENTS.map((event) => (
                <Checkbox
                  key={event}
                  label={eventWords(event)}
                  hint={event}
                  checked={chosen.includes(event)}
                  onChange={() => toggle(event)}
                />
              ))}
            </FieldGrid>
          </fieldset>
        </FullRow>
      )}
    </>
  );
}
