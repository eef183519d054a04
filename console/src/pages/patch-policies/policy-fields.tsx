import { Button, Fieldset, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus } from '../../components/icons.ts'
import { NamedField } from '../../components/named-field.tsx'
import { usePatchPolicyTexts } from '../../texts/patch-policy-texts.ts'
import type { PatchRestart, PatchRing, PatchRule } from './policies.ts'
import { isPolicyRestartComplete, PolicyRestartFields } from './policy-restart-fields.tsx'
import { areRingsComplete, RingList } from './ring-fields.tsx'
import { RuleFields } from './rule-fields.tsx'

export type PolicyValues = {
  name: string
  description: string
  priority: number
  rules: PatchRule[]
  rings: PatchRing[]
  restart: PatchRestart | null
}

type PolicyFieldsProps = { values: PolicyValues; onChange: (changes: Partial<PolicyValues>) => void }

/** The name of a policy, its place among others, and its rules in their order. */
export function PolicyFields({ values, onChange }: PolicyFieldsProps) {
  const texts = usePatchPolicyTexts()
  const { rules } = values
  const replace = (at: number, ...put: PatchRule[]) => onChange({ rules: rules.toSpliced(at, 1, ...put) })
  return (
    <>
      <NamedField name="name">
        <TextInput
          data-autofocus
          required
          label={texts.fields.name}
          maxLength={255}
          value={values.name}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
      </NamedField>
      <NamedField name="description">
        <TextInput
          label={texts.fields.description}
          maxLength={1000}
          value={values.description}
          onChange={(event) => onChange({ description: event.currentTarget.value })}
        />
      </NamedField>
      <NamedField name="priority">
        <NumberInput
          label={texts.fields.priority}
          description={texts.priorityHint}
          min={1}
          max={1000}
          allowDecimal={false}
          value={values.priority}
          onChange={(value) => onChange({ priority: Number(value) })}
        />
      </NamedField>
      <Fieldset legend={texts.rules}>
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {texts.rulesHint}
          </Text>
          {rules.map((rule, at) => (
            <RuleFields
              // biome-ignore lint/suspicious/noArrayIndexKey: the place is what identifies a rule.
              key={at}
              rule={rule}
              place={at + 1}
              onChange={(changed) => replace(at, changed)}
              {...(at > 0 && { onUp: () => onChange({ rules: swapped(rules, at - 1) }) })}
              {...(at < rules.length - 1 && { onDown: () => onChange({ rules: swapped(rules, at) }) })}
              {...(rules.length > 1 && { onRemove: () => replace(at) })}
            />
          ))}
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            disabled={rules.length >= maxRules}
            onClick={() => onChange({ rules: [...rules, { name: '', action: 'Approve', afterDays: 7 }] })}
          >
            {texts.rule.add}
          </Button>
        </Stack>
      </Fieldset>
      <RingList rings={values.rings} onChange={(rings) => onChange({ rings })} />
      <PolicyRestartFields restart={values.restart} onChange={(restart) => onChange({ restart })} />
    </>
  )
}

const maxRules = 50

/** The rules with the one at this place and the next one in the other order. */
const swapped = (rules: readonly PatchRule[], at: number): PatchRule[] => {
  const [first, second] = rules.slice(at, at + 2)
  return first && second ? rules.toSpliced(at, 2, second, first) : [...rules]
}

/** Whether the rules have what the service requires. */
export const areComplete = ({ name, rules, rings, restart }: PolicyValues) =>
  name.trim() !== '' &&
  rules.every((rule) => rule.name.trim() !== '') &&
  areRingsComplete(rings) &&
  isPolicyRestartComplete(restart)
