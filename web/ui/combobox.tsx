import { Combobox as Base } from '@base-ui/react/combobox';
import { Check, ChevronsUpDown } from 'lucide-react';
import {
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type RefObject,
} from 'react';
import { plain } from '#contract/split-by-bytes/field-parts.ts';
import { lateUiText } from '#words/late-ui.ts';
import { classNames } from './class-names.ts';
import styles from './combobox.module.css';
import { FieldFrame, useField, type FieldWords } from './field-frame.tsx';
import field from './field.module.css';
import { groupOptions, optionsFor, type Option, type OptionGroup } from './prefix-filter.ts';
import { Named } from './named.tsx';

/** The state of the placeholder while the code loads: its typed text, and whether it was pressed to open the list. */
type Begun = { readonly typed: string; readonly pressed: boolean };

export interface ComboboxProps extends Pick<FieldWords, 'label' | 'error' | 'wide'> {
  options: readonly Option[];
  value: string | null;
  onChange: (value: string | null) => void;
  /** Called with the typed text if `options` are its search results instead of the full list. */
  onSearch?: ((typed: string) => void) | undefined;
  empty?: string;
  placeholder?: string;
  required?: boolean;
  /** The state of the placeholder that this field replaces. The field takes over focus and text. */
  begun?: Begun | undefined;
}

/** Base UI hides the page from screen readers, our label too, but spares live regions: so this becomes a silent one. */
function useSparedSurroundings(field: RefObject<Element | null>) {
  const spared = useRef<Element>(null);
  const spare = useCallback(
    (open: boolean) => {
      spared.current?.removeAttribute('aria-live');
      spared.current =
        (open && field.current?.closest('[role="dialog"], [role="alertdialog"], body > *')) || null;
      spared.current?.setAttribute('aria-live', 'off');
    },
    [field],
  );
  useEffect(() => () => spare(false), [spare]);
  return spare;
}

/** Scrolls the list to the chosen option without scrolling the page. */
function showChosen(list: HTMLDivElement | null) {
  const choice = list?.querySelector('[aria-selected="true"]');
  if (!list || !choice) return;
  const [box, line] = [list.getBoundingClientRect(), choice.getBoundingClientRect()];
  list.scrollTop += line.top - box.top - (box.height - line.height) / 2;
}

function drawOption(option: Option) {
  return (
    <Base.Item key={option.value} value={option} className={styles.item}>
      <span className={styles.text}>
        <Named>{option.label}</Named>
      </span>
      <Base.ItemIndicator className={styles.tick}>
        <Check />
      </Base.ItemIndicator>
    </Base.Item>
  );
}

function drawGroup(group: OptionGroup) {
  return (
    <Base.Group key={group.value} items={group.items} className={styles.group}>
      <Base.GroupLabel className={styles.label}>{group.value}</Base.GroupLabel>
      <Base.Collection>{drawOption}</Base.Collection>
    </Base.Group>
  );
}

export function Combobox(props: ComboboxProps) {
  const { label, error, wide, options, value, onChange, onSearch, placeholder, required, begun } = props;
  const { frame, control } = useField({ label, error, wide });
  const [search, setSearch] = useState(begun?.typed ?? '');
  const items = useMemo(() => groupOptions(options), [options]);
  const found = useMemo(() => groupOptions(optionsFor(options, search)), [options, search]);
  const chosen = useMemo(() => options.find((option) => option.value === value) ?? null, [options, value]);
  const box = useRef<HTMLDivElement>(null);
  const typed = useRef(begun?.typed ?? '');
  const input = useRef<HTMLInputElement>(null);
  const isOpen = useRef(false);
  const spare = useSparedSurroundings(box);
  const searchBegun = useEffectEvent((text: string) => onSearch?.(text));
  const opensAtOnce = begun !== undefined && (begun.pressed || begun.typed !== '');
  useLayoutEffect(() => {
    if (begun === undefined) return;
    input.current?.focus();
    if (begun.typed === '') input.current?.select();
    else searchBegun(begun.typed);
    isOpen.current = opensAtOnce;
    spare(opensAtOnce);
  }, [begun, opensAtOnce, spare]);
  function onOpenChange(open: boolean, reason: string) {
    isOpen.current = open;
    spare(open);
    // Typing a full name and leaving the field chooses that option.
    if (open || reason === 'escape-key' || reason === 'item-press') return;
    const match = options.find(
      (option) => plain(option.label).toLowerCase() === plain(typed.current).toLowerCase(),
    );
    if (match) onChange(match.value);
  }
  return (
    <FieldFrame {...frame}>
      <Base.Root
        required={required ?? false}
        items={items}
        value={chosen}
        onValueChange={(option: Option | null) => onChange(option?.value ?? null)}
        isItemEqualToValue={(one: Option, other: Option) => one.value === other.value}
        filteredItems={onSearch ? items : found}
        onOpenChange={(open, { reason }) => onOpenChange(open, reason)}
        onInputValueChange={(text, { reason }) => {
          typed.current = reason === 'input-change' ? text : '';
          setSearch(typed.current);
          onSearch?.(typed.current);
        }}
        autoHighlight
        defaultOpen={opensAtOnce}
        {...(begun?.typed && { defaultInputValue: begun.typed })}
      >
        <Base.InputGroup ref={box} className={field.box}>
          <Base.Input
            {...control}
            ref={input}
            placeholder={placeholder}
            spellCheck={false}
            // The first press selects the text, so that typing replaces it. A dragged selection stays.
            onClick={({ currentTarget }) => {
              const isDragged = currentTarget.selectionStart !== currentTarget.selectionEnd;
              if (typed.current === '' && !isDragged) currentTarget.select();
            }}
            onKeyDown={(event) => {
              // On a closed list Escape would clear the choice. Leave the key to the dialog around.
              if (event.key === 'Escape' && !isOpen.current) event.preventBaseUIHandler();
              // While the list is open, Enter belongs to it and never submits the form.
              if (event.key === 'Enter' && isOpen.current) event.preventDefault();
            }}
            className={classNames(field.input, field.hasEnd)}
          />
          <Base.Trigger className={classNames(field.end, field.eye)} aria-label={lateUiText.showOptions}>
            <ChevronsUpDown />
          </Base.Trigger>
        </Base.InputGroup>
        <Base.Portal container={box}>
          <Base.Positioner
            className={styles.positioner}
            positionMethod="fixed"
            sideOffset={6}
            collisionPadding={8}
          >
            <Base.Popup className={styles.popup}>
              <Base.Empty>
                <div className={styles.empty}>{props.empty ?? lateUiText.noMatches}</div>
              </Base.Empty>
              <Base.List ref={showChosen} className={styles.list}>
                {(item: Option | OptionGroup) => ('items' in item ? drawGroup(item) : drawOption(item))}
              </Base.List>
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </FieldFrame>
  );
}
