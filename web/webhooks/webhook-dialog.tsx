import { webhooksText as text } from '#contract/text/webhooks.ts';
import { ORGANIZATION_EVENTS, type Webhook, webhooks } from '#contract/webhooks/calls.ts';
import type { OrgId } from '#contract/wire.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { changedValues, useEditForm } from '#web/lib/edit-form.ts';
import { useForm } from '#web/lib/form.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Optional, TextField } from '#web/ui/field.tsx';
import { RefusalNotice } from '#web/ui/refusal-notice.tsx';
import { FieldGrid, FullRow } from '#web/ui/sections.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { useWebhooksChanged } from './webhooks-query.ts';

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

type Props = {
  orgId: OrgId;
  /** The webhook to change. Without one the dialog adds one. */
  webhook?: Webhook;
  onSecret: (webhook: Webhook, secret: string) => void;
  onClose: () => void;
};

export function WebhookDialog({ webhook, ...props }: Props) {
  return webhook ? <ChangeDialog {...props} webhook={webhook} /> : <AddDialog {...props} />;
}

function AddDialog({ orgId, onSecret, onClose }: Omit<Props, 'webhook'>) {
  const refresh = useWebhooksChanged(orgId);
  const form = useForm(webhooks.add, {
    initial: valuesOf(),
    toInput: (values) => ({ orgId, ...inputOf(values) }),
    rules,
    above: ['webhook_limit_reached', 'account_not_confirmed'],
    onDone: async ({ entry, secret }) => {
      await refresh();
      onSecret(entry, secret);
    },
  });
  return <WebhookForm form={form} title={text.addTitle} act={text.add} onClose={onClose} />;
}

function ChangeDialog({ orgId, webhook, onClose }: Pick<Props, 'orgId' | 'onClose'> & { webhook: Webhook }) {
  const refresh = useWebhooksChanged(orgId);
  const initial = valuesOf(webhook);
  const form = useEditForm(webhooks.change, {
    initial,
    toInput: (values) => ({
      orgId,
      id: webhook.id,
      ...changedValues(inputOf(values), inputOf(initial)),
    }),
    rules,
    above: ['account_not_confirmed'],
    onDone: async (saved) => {
      await refresh(saved);
      onClose();
      showAlert({ kind: 'success', text: text.saved });
    },
  });
  return <WebhookForm form={form} title={text.changeTitle} act={text.save} onClose={onClose} />;
}

type FormProps = {
  form:
    | ReturnType<typeof useForm<typeof webhooks.add, Values>>
    | ReturnType<typeof useForm<typeof webhooks.change, Values>>;
  title: string;
  act: string;
  onClose: () => void;
};

function WebhookForm({ form, title, act, onClose }: FormProps) {
  return (
    <FormDialog form={form} onClose={onClose} filled={form.isChanged} size="wide" title={title} act={act}>
      <FieldGrid>
        {form.refusal && (
          <FullRow>
            <RefusalNotice form={form} />
          </FullRow>
        )}
        <FullRow>
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
          />
        </FullRow>
        <FullRow>
          <TextField
            label={text.description}
            {...form.field('description')}
            aside={<Optional />}
            autoComplete="off"
          />
        </FullRow>
        <EventFields form={form} />
      </FieldGrid>
    </FormDialog>
  );
}

/** All events, or chosen ones. */
function EventFields({ form }: Pick<FormProps, 'form'>) {
  const chosen = eventsOf(form.values.events);
  const toggle = (event: string) => {
    const isOn = (one: string) => chosen.includes(one) !== (one === event);
    form.set('events', ORGANIZATION_EVENTS.filter(isOn).join(' '));
  };
  return (
    <>
      <FullRow>
        <SelectField
          label={text.events}
          options={[
            { value: ALL, label: text.allEvents },
            { value: CHOSEN, label: text.chosenEvents },
          ]}
          {...form.field('scope')}
        />
      </FullRow>
      {form.values.scope === CHOSEN && (
        <FullRow>
          <fieldset>
            <legend className="visually-hidden">{text.chosenEvents}</legend>
            <FieldGrid>
              {ORGANIZATION_EVENTS.map((event) => (
                <Checkbox
                  key={event}
                  label={text.eventNames[event]}
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
