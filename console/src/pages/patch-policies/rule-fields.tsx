import {
  ActionIcon,
  Checkbox,
  Group,
  MultiSelect,
  NumberInput,
  Paper,
  Select,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core'
import type { ReactNode } from 'react'
import { IconArrowDown, IconArrowUp, IconTrash } from '../../components/icons.ts'
import { NamedField } from '../../components/named-field.tsx'
import { usePatchPolicyTexts } from '../../texts/patch-policy-texts.ts'
import { usePatchTexts } from '../../texts/patch-texts.ts'
import { severities } from '../patches/severity.ts'
import { useRuleWords } from './describe-rule.ts'
import type { PatchRule } from './policies.ts'

type RuleFieldsProps = {
  rule: PatchRule
  place: number
  onChange: (rule: PatchRule) => void
  onUp?: () => void
  onDown?: () => void
  onRemove?: () => void
}

const patterns = ['products', 'vendors', 'titles'] as const

/** What a rule does, and for which patches. The line at its top says it in words. */
export function RuleFields({ rule, place, onChange, onUp, onDown, onRemove }: RuleFieldsProps) {
  const { rule: texts, actions, ruleNumber } = usePatchPolicyTexts()
  const { does, matches } = useRuleWords()(rule)
  const set = (changes: Changes) => onChange(withChanges(rule, changes))
  const label = rule.name || ruleNumber(place)
  const path = `rules.${place - 1}`
  return (
    <Paper withBorder p="sm" role="group" aria-label={ruleNumber(place)}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Text size="sm" fw={600} className="breakable">
            {ruleNumber(place)}: {does}; {matches}
          </Text>
          <Group gap={4} wrap="nowrap">
            {onUp && <Tool label={texts.up(label)} icon={<IconArrowUp size={16} aria-hidden />} onClick={onUp} />}
            {onDown && (
              <Tool label={texts.down(label)} icon={<IconArrowDown size={16} aria-hidden />} onClick={onDown} />
            )}
            {onRemove && (
              <Tool label={texts.remove(label)} icon={<IconTrash size={16} aria-hidden />} onClick={onRemove} />
            )}
          </Group>
        </Group>
        <NamedField name={`${path}.name`}>
          <TextInput
            required
            label={texts.name}
            maxLength={100}
            value={rule.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
        </NamedField>
        <NamedField name={`${path}.action`}>
          <Select
            label={texts.action}
            allowDeselect={false}
            data={Object.entries(actions).map(([value, label]) => ({ value, label }))}
            value={rule.action}
            onChange={(value) => value && set(toAction(value as PatchRule['action'], rule))}
          />
        </NamedField>
        {rule.action === 'Approve' && (
          <NamedField name={`${path}.afterDays`}>
            <NumberInput
              label={texts.afterDays}
              min={0}
              max={3650}
              allowDecimal={false}
              value={rule.afterDays ?? 0}
              onChange={(value) => set({ afterDays: Number(value) })}
            />
          </NamedField>
        )}
        <ConditionFields rule={rule} path={path} set={set} />
      </Stack>
    </Paper>
  )
}

type Changes = { [K in keyof PatchRule]?: PatchRule[K] | undefined }

type ConditionFieldsProps = {
  rule: PatchRule
  /** How the API names the rule. */
  path: string
  set: (changes: Changes) => void
}

function ConditionFields({ rule, path, set }: ConditionFieldsProps) {
  const { rule: texts, types } = usePatchPolicyTexts()
  const { severities: severityNames } = usePatchTexts()
  return (
    <>
      <NamedField name={`${path}.severities`}>
        <MultiSelect
          label={texts.severities}
          placeholder={rule.severities ? '' : texts.any}
          data={severities.map((value) => ({ value, label: severityNames[value] }))}
          value={rule.severities ?? []}
          onChange={(values) => set({ severities: orUndefined(values) as PatchRule['severities'] })}
        />
      </NamedField>
      <NamedField name={`${path}.types`}>
        <MultiSelect
          label={texts.types}
          placeholder={rule.types ? '' : texts.any}
          data={Object.entries(types).map(([value, label]) => ({ value, label }))}
          value={rule.types ?? []}
          onChange={(values) => set({ types: orUndefined(values) as PatchRule['types'] })}
        />
      </NamedField>
      {patterns.map((name) => (
        <NamedField key={name} name={`${path}.${name}`}>
          <TagsInput
            label={texts[name]}
            description={texts.patternHint}
            placeholder={rule[name] ? '' : texts.any}
            maxTags={50}
            maxLength={255}
            value={rule[name] ?? []}
            onChange={(values) => set({ [name]: orUndefined(values) })}
            acceptValueOnBlur
          />
        </NamedField>
      ))}
      <NumberFields rule={rule} path={path} set={set} names={['minCvssScore', 'minVrrScore']} max={10} />
      <NumberFields rule={rule} path={path} set={set} names={['minAgeDays', 'maxAgeDays']} max={3650} />
      <NamedField name={`${path}.exploited`}>
        <Select
          label={texts.exploited}
          allowDeselect={false}
          data={Object.entries(texts.exploitedChoices).map(([value, label]) => ({ value, label }))}
          value={rule.exploited === undefined ? 'any' : rule.exploited ? 'yes' : 'no'}
          onChange={(value) => set({ exploited: value === 'any' ? undefined : value === 'yes' })}
        />
      </NamedField>
      <Checkbox
        label={texts.unconfirmed}
        checked={rule.unconfirmed ?? false}
        onChange={(event) => set({ unconfirmed: event.currentTarget.checked || undefined })}
      />
    </>
  )
}

type NumberFieldsProps = ConditionFieldsProps & {
  names: readonly ('minCvssScore' | 'minVrrScore' | 'minAgeDays' | 'maxAgeDays')[]
  max: number
}

function NumberFields({ rule, path, set, names, max }: NumberFieldsProps) {
  const { rule: texts } = usePatchPolicyTexts()
  return (
    <Group grow align="flex-end">
      {names.map((name) => (
        <NamedField key={name} name={`${path}.${name}`}>
          <NumberInput
            label={texts[name]}
            min={0}
            max={max}
            // Scores have a decimal, days have none.
            decimalScale={max === 10 ? 1 : 0}
            value={rule[name] ?? ''}
            onChange={(value) => set({ [name]: value === '' ? undefined : Number(value) })}
          />
        </NamedField>
      ))}
    </Group>
  )
}

function Tool({ label, icon, onClick }: { label: string; icon: ReactNode; onClick: () => void }) {
  return (
    <ActionIcon variant="subtle" aria-label={label} onClick={onClick}>
      {icon}
    </ActionIcon>
  )
}

const orUndefined = (values: string[]) => (values.length > 0 ? values : undefined)

/** Only rules that approve have a number of days. */
const toAction = (action: PatchRule['action'], { afterDays }: PatchRule) => ({
  action,
  afterDays: action === 'Approve' ? (afterDays ?? 7) : undefined,
})

/** A condition that is taken back is not sent at all. */
function withChanges(rule: PatchRule, changes: Changes): PatchRule {
  const entries = Object.entries({ ...rule, ...changes }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as PatchRule
}
